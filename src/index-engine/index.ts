/**
 * Entry point of the engine: everything that the objects, the benches and other programs need. Pure
 * TypeScript over bytes; the same in Node, workerd and a browser.
 *
 *   const plan = compileFieldPlan(config, "en");
 *   const normGroup = (field) => plan.normGroup(field);
 *   const builder = new SegmentBuilder({ analyzer: plan.analyzer, normGroup, ... });
 *   const outcome = plan.read(JSON.parse(text), utf8(text));
 *   if (outcome.status === "indexable") builder.add(outcome.product);
 *   const reader = Reader.of([openSegment(builder.finish().index)]);
 *   const execution = search(reader, request, tenant, plan);
 *   const answer = render({ execution, sources, ... });
 */
export * from "./analysis/index.ts";
export * from "./answer/facets/index.ts";
export * from "./documents/index.ts";
export type * from "./segment/model/index.ts";
export { FACET_KINDS, NORM_GROUPS, NO_MORE_ROWS, STEM_PREFIX } from "./segment/model/index.ts";
export * from "./query/index.ts";
export * from "./index/index.ts";
export * from "./answer/render/index.ts";
export * from "./search.ts";
export * from "./segment/index.ts";
export * from "./segment/stored/index.ts";
export * from "./answer/suggest/index.ts";
