export { insightsSink, type InsightsEvent, type InsightsSink } from "./insights.ts";
export { UnsupportedError } from "./protocol.ts";
export { aisleSearchClient, type AisleSearchClient, type SearchClientOptions } from "./search-client.ts";
