import "./theme.css";
import "./lib/theme.svelte";
import { mount } from "svelte";
import App from "./App.svelte";

const root = document.getElementById("punto");
if (!root) throw new Error("index.html has no element #punto to mount the pages in");

export default mount(App, { target: root });
