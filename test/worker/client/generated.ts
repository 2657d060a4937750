/**
 * Aisle
 * 1
 * DO NOT MODIFY - This file has been generated using oazapfts.
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "http://localhost"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    thisDeployment: "http://localhost"
};
export type AttributeAnswer = {
    name: string;
    value: string;
    code?: string | null;
};
export type CategoryAnswer = {
    name: string;
    id?: string | null;
};
export type VariantAnswer = {
    id: string;
    data: {
        [key: string]: unknown;
    };
    attributes: AttributeAnswer[] | null;
    categories: CategoryAnswer[][] | null;
};
export type DocumentAnswer = {
    id: string;
    data: {
        [key: string]: unknown;
    };
    attributes: AttributeAnswer[] | null;
    categories: CategoryAnswer[][] | null;
    variants?: VariantAnswer[];
};
export type Highlight = {
    html: string;
    text: string;
    marks: never[][];
    whole: boolean;
    value: number;
};
export type ResultHit = {
    index: string;
    document: DocumentAnswer;
    matchedQueries: string[];
    metaData: {
        highlights?: {
            [key: string]: Highlight[];
        };
        [key: string]: unknown;
    } | null;
};
export type TermFacetEntry = {
    "type": "term";
    key: string;
    id: string | null;
    docCount: number;
    link: string | null;
    selected: boolean;
};
export type HierarchialFacetEntry = {
    "type": "hierarchical";
    key: string;
    id: string | null;
    docCount: number;
    link: string | null;
    selected: boolean;
    path: string;
    children: HierarchialFacetEntry[];
};
export type IntervalFacetEntry = {
    "type": "interval";
    key: string;
    id: string | null;
    docCount: number;
    link: string | null;
    selected: boolean;
    lowerBound: number | null;
    upperBound: number | null;
};
export type RangeFacetEntry = {
    "type": "range";
    key: string;
    id: string | null;
    docCount: number;
    link: string | null;
    selected: boolean;
    lowerBound: number;
    upperBound: number;
    selectedMin: number | null;
    selectedMax: number | null;
};
export type FacetEntry = TermFacetEntry | HierarchialFacetEntry | IntervalFacetEntry | RangeFacetEntry;
export type Facet = {
    fieldName: string;
    absoluteFacetCoverage: number;
    isFiltered: boolean;
    filtered: boolean;
    "type": "term" | "hierarchical" | "interval" | "range";
    meta: {
        [key: string]: unknown;
    };
    entries: FacetEntry[];
};
export type SearchResultSlice = {
    /** null for the main slice */
    label: string | null;
    matchCount: number;
    nextOffset: number;
    nextLink: string | null;
    resultLink: string;
    hits: ResultHit[];
    facets: Facet[] | null;
};
export type Sorting = {
    label: string;
    field: string;
    sortOrder: "ASC" | "DESC";
    isActive: boolean;
    active: boolean;
    link: string;
};
export type SearchResult = {
    tookInMillis: number;
    inputURI: string;
    slices: SearchResultSlice[];
    sortOptions: Sorting[];
    meta: {
        [key: string]: unknown;
    };
};
export type Error = {
    message: string;
    code: number;
    "type": string;
    errorId: string;
    timestamp: number;
    details?: unknown;
};
export type StaticProductSet = {
    "type": "static";
    name?: string | null;
    asSeparateSlice?: boolean;
    variantBoostTerms?: string | null;
    ids: (string | number)[];
};
export type DynamicProductSet = {
    "type": "dynamic";
    name?: string | null;
    asSeparateSlice?: boolean;
    variantBoostTerms?: string | null;
    query?: string | null;
    sort?: string | null;
    filters?: {
        [key: string]: string;
    } | null;
    limit?: number;
};
export type QueryStringProductSet = {
    "type": "querystring";
    name?: string | null;
    asSeparateSlice?: boolean;
    variantBoostTerms?: string | null;
    query: string;
    sort?: string | null;
    filters?: {
        [key: string]: string;
    } | null;
    fieldWeights?: {
        [key: string]: number;
    } | null;
    limit?: number;
};
export type GenericProductSet = {
    "type": "generic";
    name?: string | null;
    asSeparateSlice?: boolean;
    variantBoostTerms?: string | null;
    size?: number;
    parameters?: {
        [key: string]: string;
    } | null;
};
export type ProductSet = ({
    "type": "static";
} & StaticProductSet) | ({
    "type": "dynamic";
} & DynamicProductSet) | ({
    "type": "querystring";
} & QueryStringProductSet) | ({
    "type": "generic";
} & GenericProductSet);
export type ArrangedSearchQuery = {
    q?: string | null;
    sort?: string | null;
    limit?: number;
    offset?: number;
    withFacets?: boolean;
    filters?: {
        [key: string]: string;
    } | null;
    arrangedProductSets?: ProductSet[] | null;
    includeMainResult?: boolean;
    highlight?: (string | string[]) | null;
    highlightTag?: string | null;
    fields?: (string | string[]) | null;
    facetQuery?: (string | string[]) | null;
};
export type Suggestion = {
    phrase: string;
    "type": string;
    payload: {
        [key: string]: string;
    } | null;
};
export type ImportSession = {
    finalIndexName: string;
    temporaryIndexName: string;
};
export type Attribute = {
    /** URL-friendly name; the filter parameter of this attribute */
    name: string;
    /** display value; a boolean becomes "true" or "false", a blank one is ignored */
    value: string | number | boolean;
    /** stable id of the value; filter with `<name>.id=<code>` */
    code?: string | number | null;
};
export type Category = {
    /** filter with `<field>.id=<id>` */
    id?: string | number | null;
    name: string | number;
};
export type CategoryPath = Category[];
export type DocumentDataValue = string | number | boolean | null | Attribute | Category | (string | number | boolean | Attribute | Category | CategoryPath)[];
export type Variant = {
    id?: string | number | null;
    data?: {
        [key: string]: DocumentDataValue;
    } | null;
    attributes?: (Attribute | null)[] | null;
    categories?: (CategoryPath | null)[] | null;
};
export type Product = {
    id: string | number;
    data: {
        [key: string]: DocumentDataValue;
    };
    attributes?: (Attribute | null)[] | null;
    categories?: (CategoryPath | null)[] | null;
    variants?: Variant[] | null;
};
export type BulkImportData = {
    session: ImportSession;
    documents: Product[];
};
export type AddReport = {
    indexed: number;
    rejected: {
        position: number;
        id: string | null;
        reason: string;
    }[];
    ignored: {
        position: number;
        path: string;
        reason: string;
    }[];
};
export type UpdateAnswer = {
    [key: string]: "CREATED" | "UPDATED" | "DELETED" | "NOT_FOUND" | "NOOP" | "DISMISSED";
};
export type ConfigurationChange = {
    version: number;
    /** what was sent and has no effect; left out where there is nothing */
    warnings?: {
        path: string;
        message: string;
    }[];
};
export type ConfigurationVersion = {
    version: number;
};
export type HistoricVersion = {
    entry: string;
    version: number;
    /** null: found so when it was changed next */
    atMs: number | null;
    user: string | null;
    /** it was not there */
    removed: boolean;
};
export type IndexDescription = {
    name: string;
    locale: string;
    generation: {
        "number": number;
        physicalName: string;
        epoch: number;
    };
    kept: {
        generation: number;
        physicalName: string;
    } | null;
    /** work of the index that is not tried any more */
    givenUp: string[];
    /** milliseconds since 1970 */
    lastImport: number;
    documents: number;
    variants: number;
    memoryBytes: number;
    storedBytes: number;
    pendingWrites: number;
    shards: unknown[];
};
export type SessionDescription = {
    indexName: string;
    temporaryIndexName: string;
    generation: number;
    locale: string;
    state: "open" | "publishing";
    startedAtMs: number;
    segments: number;
    sizeBytes: number;
    documents: number;
    step: string | null;
};
/**
 * Runs a search for a tenant
 */
export function search(tenant: string, { q, sort, limit, offset, withFacets, trace, queryStage, typing, aggSampling, fields, highlight, highlightTag, facetQuery, filters }: {
    q?: string;
    sort?: string;
    limit?: number;
    offset?: number;
    withFacets?: boolean;
    trace?: string;
    queryStage?: number;
    typing?: boolean;
    aggSampling?: number;
    fields?: string;
    highlight?: string;
    highlightTag?: "em" | "mark" | "strong" | "b" | "i" | "u" | "span";
    facetQuery?: string;
    filters?: {
        [key: string]: string;
    };
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SearchResult;
    } | {
        status: 304;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/search-api/v1/search/${encodeURIComponent(tenant)}${QS.query(QS.explode({
        q,
        sort,
        limit,
        offset,
        withFacets,
        trace,
        query_stage: queryStage,
        typing,
        aggSampling,
        fields,
        highlight,
        highlightTag,
        facetQuery,
        filters
    }))}`, {
        ...opts
    });
}
/**
 * Runs a search with product sets injected in a given order
 */
export function arrangedSearch(tenant: string, arrangedSearchQuery: ArrangedSearchQuery, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SearchResult;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/search-api/v1/search/arranged/${encodeURIComponent(tenant)}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: arrangedSearchQuery
    }));
}
/**
 * A document by its id, with everything that was sent
 */
export function getDocument(tenant: string, id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: DocumentAnswer;
    } | {
        status: 304;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/search-api/v1/doc/${encodeURIComponent(tenant)}/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Names of configured tenants and live indexes
 */
export function getTenants(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string[];
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/search-api/v1/tenants", {
        ...opts
    });
}
/**
 * Completes what a user has typed so far
 */
export function suggest(indexname: string, userQuery: string, { limit, filter }: {
    limit?: number;
    filter?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Suggestion[];
    } | {
        status: 304;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/suggest-api/v1/${encodeURIComponent(indexname)}/suggest${QS.query(QS.explode({
        userQuery,
        limit,
        filter
    }))}`, {
        ...opts
    });
}
/**
 * Opens a full import
 */
export function startImport(indexName: string, locale: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ImportSession;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/indexer-api/v1/full/start/${encodeURIComponent(indexName)}${QS.query(QS.explode({
        locale
    }))}`, {
        ...opts
    });
}
/**
 * Adds documents to a running import
 */
export function add(bulkImportData: BulkImportData, { report }: {
    report?: boolean;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: number | AddReport;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/indexer-api/v1/full/add${QS.query(QS.explode({
        report
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: bulkImportData
    }));
}
/**
 * Completes an import: its documents replace the live index
 */
export function done(importSession: ImportSession, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/indexer-api/v1/full/done", oazapfts.json({
        ...opts,
        method: "POST",
        body: importSession
    }));
}
/**
 * Drops an import and everything added to it
 */
export function cancel(importSession: ImportSession, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/indexer-api/v1/full/cancel", oazapfts.json({
        ...opts,
        method: "POST",
        body: importSession
    }));
}
/**
 * Deletes documents of a live index
 */
export function deleteDocuments(indexName: string, { id }: {
    id?: string[];
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UpdateAnswer;
    } | {
        status: 304;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/indexer-api/v1/update/${encodeURIComponent(indexName)}${QS.query(QS.explode({
        "id[]": id
    }))}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Changes parts of existing documents
 */
export function patchDocuments(indexName: string, body: Product[] | {
    documents: Product[];
} | Product, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UpdateAnswer;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/indexer-api/v1/update/${encodeURIComponent(indexName)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Adds or replaces whole documents
 */
export function putDocuments(indexName: string, body: Product[] | {
    documents: Product[];
} | Product, { replaceExisting, langCode }: {
    replaceExisting?: boolean;
    langCode?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UpdateAnswer;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/indexer-api/v1/update/${encodeURIComponent(indexName)}${QS.query(QS.explode({
        replaceExisting,
        langCode
    }))}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * The whole configuration document, as it was sent
 */
export function getConfiguration(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: unknown;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/admin-api/v1/config", {
        ...opts
    });
}
/**
 * Replaces the whole configuration document; JSON, YAML, .properties or HOCON
 */
export function putConfiguration(body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/admin-api/v1/config", oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Changes a part of the configuration document: a JSON merge patch (or the same in YAML)
 */
export function patchConfiguration(body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/admin-api/v1/config", oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Removes the whole configuration document: the built-in preset holds again
 */
export function deleteConfiguration(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/admin-api/v1/config", {
        ...opts,
        method: "DELETE"
    });
}
/**
 * The configuration entry of one index, as it was sent
 */
export function getIndexConfiguration(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: unknown;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/index/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * Sets the configuration entry of one index; JSON, YAML, .properties or HOCON
 */
export function putIndexConfiguration(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/index/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Changes a part of the configuration entry of one index: a JSON merge patch (or the same in YAML)
 */
export function patchIndexConfiguration(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/index/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Removes the configuration entry of one index
 */
export function deleteIndexConfiguration(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/index/${encodeURIComponent(name)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * The configuration entry of one tenant, as it was sent
 */
export function getTenantConfiguration(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: unknown;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/tenant/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * Sets the configuration entry of one tenant; JSON, YAML, .properties or HOCON
 */
export function putTenantConfiguration(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/tenant/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Changes a part of the configuration entry of one tenant: a JSON merge patch (or the same in YAML)
 */
export function patchTenantConfiguration(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/tenant/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Removes the configuration entry of one tenant
 */
export function deleteTenantConfiguration(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/tenant/${encodeURIComponent(name)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * The configuration entry of one suggest, as it was sent
 */
export function getSuggestConfiguration(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: unknown;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * Sets the configuration entry of one suggest; JSON, YAML, .properties or HOCON
 */
export function putSuggestConfiguration(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Changes a part of the configuration entry of one suggest: a JSON merge patch (or the same in YAML)
 */
export function patchSuggestConfiguration(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationChange;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Removes the configuration entry of one suggest
 */
export function deleteSuggestConfiguration(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * The shop's own queries for the suggestions of one index
 */
export function getSuggestQueries(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            queries: {
                phrase: string;
                weight: number;
                "type": string;
                payload: {
                    [key: string]: string;
                };
                tags: string[];
            }[];
            sharpened: {
                [key: string]: string[];
            };
            relaxed: {
                [key: string]: string[];
            };
        };
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}/queries`, {
        ...opts
    });
}
/**
 * Replaces the shop's own queries for the suggestions of one index; JSON, or CSV with Content-Type text/csv
 */
export function putSuggestQueries(name: string, body: {
    queries?: {
        phrase: string;
        weight?: number;
        "type"?: string;
        payload?: {
            [key: string]: string;
        };
        tags?: string[];
    }[];
    sharpened?: {
        [key: string]: string[];
    };
    relaxed?: {
        [key: string]: string[];
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}/queries`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Changes a part of the shop's own queries of one index: a JSON merge patch
 */
export function patchSuggestQueries(name: string, body: unknown, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}/queries`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    }));
}
/**
 * Removes the shop's own queries for the suggestions of one index
 */
export function deleteSuggestQueries(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/suggest/${encodeURIComponent(name)}/queries`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * A rules text
 */
export function getRules(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/rules/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * Sets a rules text
 */
export function putRules(name: string, body: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 408;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/rules/${encodeURIComponent(name)}`, {
        ...opts,
        method: "PUT",
        body
    });
}
/**
 * Removes a rules text
 */
export function deleteRules(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/rules/${encodeURIComponent(name)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Past versions of one entry, newest first; without entry the newest of all
 */
export function getConfigurationHistory({ entry }: {
    entry?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: HistoricVersion[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/history${QS.query(QS.explode({
        entry
    }))}`, {
        ...opts
    });
}
/**
 * What an entry was at a version of its history; rules as text
 */
export function getHistoricConfiguration(version: string, entry: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: unknown;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/history/${encodeURIComponent(version)}${QS.query(QS.explode({
        entry
    }))}`, {
        ...opts
    });
}
/**
 * Makes an entry what it was at a version of its history, as a new version
 */
export function restoreConfiguration(version: string, entry: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationVersion;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 412;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/config/history/${encodeURIComponent(version)}/restore${QS.query(QS.explode({
        entry
    }))}`, {
        ...opts,
        method: "POST"
    });
}
/**
 * All live indexes with their figures
 */
export function getIndexes(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: IndexDescription[];
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/admin-api/v1/indexes", {
        ...opts
    });
}
/**
 * One live index with its figures
 */
export function getIndex(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: IndexDescription;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/indexes/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * Removes an index with all its generations and open imports
 */
export function deleteIndex(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            deleted: string;
        };
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/indexes/${encodeURIComponent(name)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Back to the generation before the last done, or forward again
 */
export function rollbackIndex(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            generation: number;
            physicalName: string;
            updatesLeftBehind: number;
        };
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/indexes/${encodeURIComponent(name)}/rollback`, {
        ...opts,
        method: "POST"
    });
}
/**
 * All documents as they were sent, one a line: a backup, ready for another import; private fields for the role admin only
 */
export function exportIndex(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/indexes/${encodeURIComponent(name)}/documents`, {
        ...opts
    });
}
/**
 * The documents that a tenant sees, of all its indexes, one a line; private fields for the role admin only
 */
export function exportTenant(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/tenants/${encodeURIComponent(name)}/documents`, {
        ...opts
    });
}
/**
 * Builds the index anew from its stored documents, with the configuration of now
 */
export function reindexIndex(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            generation: number;
            physicalName: string;
            shards: number;
            documents: number;
            rejected: number;
        };
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>(`/admin-api/v1/indexes/${encodeURIComponent(name)}/reindex`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Open imports with their progress
 */
export function getSessions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionDescription[];
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/admin-api/v1/sessions", {
        ...opts
    });
}
/**
 * Figures of indexes, imports and requests for Prometheus
 */
export function metrics(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    }>("/metrics", {
        ...opts
    });
}
/**
 * 200 when the objects answer
 */
export function health(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            status: "ok";
            indexes: number;
            configurationVersion: number;
        };
    } | {
        status: 500;
        data: Error;
    }>("/health", {
        ...opts
    });
}
/**
 * This description
 */
export function openapi(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: unknown;
    } | {
        status: 500;
        data: Error;
    }>("/openapi.json", {
        ...opts
    });
}
/**
 * The playground: a page to import a catalogue and to search it
 */
export function root(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 500;
        data: Error;
    }>("/", {
        ...opts
    });
}
/**
 * A demo shop that searches an index: widgets of InstantSearch
 */
export function shop(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 500;
        data: Error;
    }>("/shop", {
        ...opts
    });
}
/**
 * A file of the pages
 */
export function pageFile(file: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 500;
        data: Error;
    }>(`/playground/${encodeURIComponent(file)}`, {
        ...opts
    });
}
/**
 * This reference as a page, with forms that call the operations
 */
export function docs(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 500;
        data: Error;
    }>("/docs", {
        ...opts
    });
}
