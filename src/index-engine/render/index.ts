/** What was found -> the answer as it is sent. */
export { QueryLinks } from "./links.ts";
export { render, type RenderInput } from "./render.ts";
export { buildSortOptions, sortableFields } from "./sort-options.ts";
