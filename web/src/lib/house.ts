// What the server writes into the document of the pages: what a page must know before it is first painted.
// Served by vite there is none of it; then the house is Punto, and offers all languages.

function told(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="punto-${name}"]`)?.content ?? "";
}

export const house = {
  /** What the floor is called. */
  name: told("floor") || "Punto",
  /** The languages that its pages offer, in the order of its file. */
  languages: told("languages").split(" "),
};
