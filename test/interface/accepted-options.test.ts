/**
 * Options that a configuration file of the reference may have and that have no effect here (docs/options.md says why):
 *
 * 1. Each is accepted, and what an index, a tenant and suggest work with is the same as without it.
 * 2. What looks like them and is none is refused.
 */
import { expect, test } from "vitest";
import {
  readConfiguration,
  resolveIndexConfig,
  resolveSuggestConfig,
  resolveTenantConfig,
} from "../../src/interface/index.ts";
import { table } from "../support/table.ts";

function resolved(document: object): object {
  const read = readConfiguration(document);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return {
    index: resolveIndexConfig(read.value, "shop"),
    tenant: resolveTenantConfig(read.value, "shop", []),
    suggest: resolveSuggestConfig(read.value, "shop"),
  };
}

const field = { name: "title", usage: ["Search"] };
const index = { "field-configuration": { fields: [field] }, "index-settings": {} };
const tenant = { locale: "de" };
const suggest = { "source-fields": ["brand"] };

function document(
  parts: { ocs?: object; index?: object; tenant?: object; suggest?: object; root?: object } = {},
): object {
  return {
    ocs: {
      "index-config": { shop: { ...index, ...parts.index } },
      "tenant-config": { shop: { ...tenant, ...parts.tenant } },
      ...parts.ocs,
    },
    suggest: { ...suggest, ...parts.suggest },
    ...parts.root,
  };
}

test.each(table<[string, Parameters<typeof document>[0]]>`
  connection-configuration | ${{ ocs: { "connection-configuration": { hosts: "http://es:9200" } } }}
  disabled-plugins | ${{ ocs: { "disabled-plugins": ["a.B"] } }}
  prefered-plugins | ${{ ocs: { "prefered-plugins": { "a.B": "a.C" } } }}
  scheduler | ${{ ocs: { scheduler: { "refresh-config": { enabled: true } } } }}
  spring, server, management, logging | ${{ root: { spring: {}, server: {}, management: {}, logging: {} } }}
  replica-count | ${{ index: { "index-settings": { "replica-count": 2 } } }}
  refresh-interval | ${{ index: { "index-settings": { "refresh-interval": "5s" } } }}
  wait-time-ms-for-healthy-index | ${{ index: { "index-settings": { "wait-time-ms-for-healthy-index": 10 } } }}
  value-delimiter | ${{ index: { "field-configuration": { fields: [{ ...field, "value-delimiter": "|" }] } } }}
  rescorers | ${{ tenant: { rescorers: ["SomeRescorer"] } }}
  custom-product-set-resolver | ${{ tenant: { "custom-product-set-resolver": { Generic: "a.B" } } }}
  suggest: max-sharpened-queries | ${{ suggest: { "max-sharpened-queries": 12 } }}
  suggest: locale | ${{ suggest: { locale: "de" } }}
  suggest: group.prefetch-limit-factor | ${{ suggest: { group: { "prefetch-limit-factor": 3 } } }}
  suggest: preload-indexes, update-rate | ${{ suggest: { "preload-indexes": [], "update-rate": 60 } }}
`)("1: %s", (_option, parts) => {
  expect(resolved(document(parts))).toEqual(resolved(document()));
});

test.each<[string, Parameters<typeof document>[0]]>([
  ["a setting of an index", { index: { "index-settings": { "shard-count": 2 } } }],
  ["a part of a tenant", { tenant: { rescorer: ["SomeRescorer"] } }],
  ["a type of facet", { tenant: { "facet-configuration": { facets: [{ "source-field": "a", type: "slider" }] } } }],
  ["a section", { ocs: { schedules: {} } }],
])("2: %s", (_what, parts) => {
  expect(readConfiguration(document(parts)).ok).toBe(false);
});
