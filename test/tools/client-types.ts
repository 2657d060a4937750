/**
 * The types of packages/client are those of the service's schemas, in both directions. There is nothing to run: where
 * they part, `npm run typecheck` fails.
 */
import type * as z from "zod";
import type * as client from "../../packages/client/src/types.ts";
import type * as service from "../../src/interface/index.ts";
import type { ArrangedSearchQuery, Product, SearchResultSchema } from "../../src/interface/index.ts";

/** Does not compile where `From` is no `To`. */
type Fits<From extends To, To> = From;

type Sets = NonNullable<z.input<typeof ArrangedSearchQuery>["arrangedProductSets"]>[number];
type Found = z.infer<typeof SearchResultSchema>;

/** What a caller may send, the service takes. */
export type Sent = [
  Fits<client.Product, z.input<typeof Product>>,
  Fits<client.ProductSet, Sets>,
  Fits<client.ImportSession, service.ImportSession>,
];

/** What the service answers, a caller is told of. */
export type Answered = [
  Fits<Found, client.SearchResult>,
  Fits<service.Suggestion, client.Suggestion>,
  Fits<service.UpdateAnswer, client.UpdateAnswer>,
  Fits<service.AddReport, client.AddReport>,
  Fits<service.Problem, client.Problem>,
  Fits<Exclude<Sets, { type: "generic" }>, client.ProductSet>,
];

/** And no more than that. */
export type Told = [
  Fits<client.SearchResult, Found>,
  Fits<client.Suggestion, service.Suggestion>,
  Fits<client.UpdateAnswer, service.UpdateAnswer>,
  Fits<client.AddReport, service.AddReport>,
];
