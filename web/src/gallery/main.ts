import "../theme.css";
import { mount } from "svelte";
import Gallery from "./Gallery.svelte";

const root = document.getElementById("punto");
if (!root) throw new Error("gallery.html has no element #punto to mount the gallery in");

export default mount(Gallery, { target: root });
