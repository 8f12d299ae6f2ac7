// Cases by chance: the same ones in every run of the gate, fresh ones and more of them every night.
import fc from "fast-check";

const nightly = process.env.PUNTO_NIGHTLY === "1";
fc.configureGlobal({ seed: Number(process.env.PUNTO_SEED ?? 1), numRuns: nightly ? 1_000 : 100 });

export { fc };
