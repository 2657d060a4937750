/**
 * Configuration files as they lie beside the reference's services, with every key that its description names (sections
 * 7.2, 7.5, 7.6, 8.1, 8.2), in each format. Values are ours.
 */

export const INDEXER_YAML = `
ocs:
  connection-configuration:
    hosts: \${ES_HOSTS:http://localhost:9200}
    auth: \${ES_AUTH:}
    use-compatibility-mode: false
  disabled-plugins:
    - com.example.ocs.SomePlugin
  prefered-plugins:
    "[com.example.ocs.IndexerConfigurationProvider]": com.example.ocs.OwnProvider
  default-index-config:
    index-settings: {replica-count: 1, refresh-interval: 5s, minimum-document-count: 0, wait-time-ms-for-healthy-index: 3000}
    data-processor-configuration:
      processors:
        - ExtractCategoryLevelDataProcessor
        - AsciiFoldingDataProcessor
    field-configuration:
      fields:
        title: {type: string, usage: [Search, Result, Sort], source-names: [Title, ProductName]}
        price: {name: price, type: number, field-level: both, usage: [Sort, Result, Facet]}
        category: {type: category, source-names: Categories, usage: [Result, Facet]}
      dynamic-fields:
        - {name: attribute, type: number, source-names: [.*], usage: [Facet, Result]}
        - {name: attribute, source-names: [.*], usage: [Facet, Result]}
        - {name: category_levels, source-names: ["category_.*"], usage: [Search]}
  index-config:
    claims-shop:
      index-settings.use-default-config: true
      data-processor-configuration:
        use-default-config: true
        processors: [com.example.any.SkipDocumentDataProcessor]
        configuration:
          "[com.example.any.SkipDocumentDataProcessor]":
            state: "off|hidden"
      field-configuration:
        use-default-config: true
        fields:
          colour:
            fieldLevel: VARIANT
            usage: facet, result
---
spring.config.activate.on-profile: docker
ocs.connection-configuration.hosts: http://elastic:9200
`;

export const SEARCH_YAML = `
ocs:
  connection-configuration.hosts: http://localhost:9200
  scheduler:
    enabled: true
    refresh-config.enabled: false
    refresh-config-delay-ms: 60000
    refresh-context.enabled: false
    refresh-context-delay-ms: 60000
  default-tenant-config:
    query-processing:
      user-query-preprocessors: [AsciifyUserQueryPreprocessor]
      user-query-analyzer: QuerqyQueryExpander
    query-configuration:
      codes:
        strategy: ConfigurableQuery
        condition: {matchingRegex: '\\s?(\\d+\\w?\\d+\\s*)+', maxTermCount: 42}
        settings: {operator: OR, tieBreaker: 0.8, analyzer: whitespace, allowParallelSpellcheck: false, acceptNoResult: true}
        weighted-fields: {"[artNr]": 2, ean: 1}
      words:
        strategy: ConfigurableQuery
        condition: {minTermCount: 1, maxTermCount: 10, maxQueryLength: 200}
        settings:
          operator: AND
          minShouldMatch: 2<80%
          phraseSlop: 2
          multimatch_type: CROSS_FIELDS
          fuzziness: AUTO
          quoteAnalyzer: whitespace
          isQueryWithShingles: true
          isTermFiltersQuoted: false
          fallbackQuery: grams
        weighted-fields: {title: 3, title.standard: 2.5, "category_lvl_*": 1}
      grams: {strategy: NgramQuery, settings: {minShouldMatch: "70%"}, weighted-fields: {title: 1}}
    scoring-configuration:
      boost-mode: AVG
      score-mode: SUM
      score-functions:
        - {field: stock, type: FIELD_VALUE_FACTOR, weight: 2.5, options: {MODIFIER: LOG1P, missing: 0, use-for-variants: false}}
        - {field: stock, type: decay_gauss, options: {ORIGIN: 10, SCALE: 5, OFFSET: 1, DECAY: 0.4}}
    facet-configuration:
      max-facets: 12
      default-term-facet-configuration: {min-facet-coverage: 0.2}
      default-number-facet-configuration: {type: RANGE}
      facets:
        - source-field: category
          label: Kategorie
          type: hierarchical
          order: 1
          exclude-from-facet-limit: true
        - source-field: price
          type: interval_10
          optimal-value-count: 4
          show-unselected-options: true
          meta-data: {unit: " €", decimals: 0, round: up, locale: de}
        - {source-field: brand, is-multi-select: true, value-order: alphanum_asc, prefer-variant-on-filter: false}
        - {source-field: campaign, type: range, is-filter-sensitive: true, min-value-count: 1}
        - {source-field: size, filter-dependencies: ["category=Shoes", "brand=*"], remove-on-single-full-coverage-facet-element: true}
    sort-configuration:
      - {label: Cheap, field: price, order: ASC, missing: _last}
      - {label: Dear, field: price, order: desc}
    rescorers: []
    custom-product-set-resolver: {Static: com.example.OwnResolver}
    plugin-configuration:
      "[com.example.QuerqyQueryExpander]":
        common_rules_url: classpath:rules.txt
        do_asciiy_rules: true
  tenant-config:
    claims_a:
      index-name: claims-shop
      locale: de
      use-default-query-config: true
      use-default-scoring-config: true
      use-default-facet-config: false
      use-default-sort-config: true
      variant-picking-strategy: pickIfDrilledDown
    claims_b.index-name: claims-shop,claims-other
`;

export const SUGGEST_PROPERTIES = `
# where data come from
elasticsearch.hosts=http://localhost:9200
elasticsearch.auth=
elasticsearch.useCompatibilityMode=false
suggest.index.default.enable=true
suggest.index.default.sourceFields=brand,category,\\
  title
suggest.index.claims-shop.maxFetchSize=500
suggest.index.claims-shop.deduplicate=true
suggest.locale=de_DE
suggest.always-do-fuzzy=false
suggest.sort-strategy=MatchGroupsSeparated
suggest.max-sharpened-queries=5
suggest.data-source-merger=true
suggest.concurrent-indexation=true
suggest.update-rate=60
suggest.preload-indexes=claims-shop
suggest.index-folder=/tmp/suggest
suggest.server.port=8081
suggest.server.address=0.0.0.0
suggest.service.max-idle-minutes=30
suggest.service.mgmt-path-prefix=
suggest.group.key=type
suggest.group.share-conf=keyword=0.3,brand=0.2,category=0.5
suggest.group.cutoff-conf=keyword=5,brand=3,category=4
suggest.group.deduplication-order=brand,category
suggest.group.prefetch-limit-factor=2
suggest.claims-shop.group.key=type
`;

export const SUGGEST_HOCON = `
elasticsearch { hosts = "http://localhost:9200" } // not read here
suggest {
  locale = de_DE
  update-rate = \${?SUGGEST_UPDATE_RATE}
  index {
    default { sourceFields = "brand,category" }
    claims-shop { maxFetchSize: 500, deduplicate: true }
  }
  group {
    key = type
    share-conf = "keyword=0.3,brand=0.7"
  }
  claims-shop.always-do-fuzzy = true
  server: { port: 8081 }
}
`;

export const SUGGEST_YAML = `
suggest:
  index:
    default: {sourceFields: [brand, category]}
    claims-shop.enable: false
  group.key: type
  group.cutoff-conf: keyword=5,other=2
  sort-strategy: PrimaryAndSecondaryByWeight
`;

/** Each way to write a rule. */
export const RULES = `
# an input with several instructions
cheap laptop =>
  SYNONYM(0.8): notebook
  SYNONYM: portable computer
  SYNONYM: (portable computer)
  FILTER: -used
  FILTER: * category:Computers/Laptops
  FILTER: * -condition.id:123 brand:"Acme, Inc."
  FILTER: * price:10-99
  FILTER: * -(second hand)
  UP(2): gaming
  UP(10): * brand:acme
  DOWN(0.5): bag
  DELETE: cheap

laptop AND NOT (bag OR sleeve) =>
  FILTER: * -category:Accessories
`;
