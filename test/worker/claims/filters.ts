/** Filters and sorting: section 3 of the reference's behaviour. */
import type { SearchResult } from "../../../src/interface/index.ts";
import { datum, entries, facetNames, found, inOrder, link, ruled, search, section, type Section } from "./claim.ts";

const facets = (...all: readonly object[]): Record<string, unknown> => ({ "facet-configuration": { facets: all } });
const multiBrand = facets({ "source-field": "brand", "multi-select": true });
const uri = ({ inputURI }: SearchResult): string => inputURI;
const ALL = "a b c d e";

export const FILTERS: readonly Section[] = [
  section("3.1")`
    parameters that are not fields are ignored | ${search("nothing=1", found)} | ${ALL}
    a field with neither Facet nor Filter cannot be filtered | ${search("title=Cap", found)} | ${ALL}
    ! negates all values | ${search("brand=!Puma,Adidas", found)} | ${"e"}
    empty values are dropped | ${search("brand=,Nike,", found)} | ${"e"}
    %252C is a comma in a value | ${search("material=Mesh%252C%20fine", found)} | ${"a"}
    %252c is not a comma; Aisle: it is a comma, because many libraries write escapes in lower case
      | ${search("material=Mesh%252c%20fine", found)} | ${"a"}
    color=red,!black means color=red | ${search("brand=Adidas,!Puma", found)} | ${"b"}
    color=!red,!black means color=!red,black | ${search("brand=!Puma,!Adidas", found)} | ${"e"}
    Aisle: the first of repeated parameters decides about negation: !red, then black
      | ${search("brand=!Puma&brand=Adidas", found)} | ${"e"}
    Aisle: and red, then !black | ${search("brand=Adidas&brand=!Puma", found)} | ${"b"}
    a number field accepts ranges | ${search("price=1-12", found)} | ${"a c"}
    a category field accepts paths | ${search("category=Men/Socks", found)} | ${"c"}
    fields are ANDed | ${search("brand=Puma&price=10", found)} | ${"a"}
    values of a field are ORed | ${search("brand=Adidas,Nike", found)} | ${"b e"}
  `,
  section("3.2")`
    case is ignored | ${search("brand=PUMA", found)} | ${"a c d"}
    whole values are compared | ${search("brand=Pum", found)} | ${""}
    usage Filter without Facet filters | ${search("shelf=a1", found, null, "fields")} | ${"one"}
    usage Filter without Facet does not create a facet
      | ${search("", (r) => facetNames(r).includes("shelf"), null, "fields")} | ${false}
    ids are compared in lower case, so those with capitals never match; Aisle: ids are compared exactly
      | ${search("material.id=Mesh1", found)} | ${"a"}
    Aisle: ids that differ in case are different | ${search("material.id=mesh1", found)} | ${""}
    .id of a field with usage Filter alone is ignored; Aisle: it filters by the id
      | ${search("shelf.id=none", found, null, "fields")} | ${""}
    name and id filters are ANDed | ${search("material=Leather&material.id=Mesh1", found)} | ${""}
    name and id of one value | ${search("material=Leather&material.id=L", found)} | ${"b"}
  `,
  section("3.3")`
    10,20 | ${search("price=10,20", found)} | ${"a b d"}
    10-20 | ${search("price=10-20", found)} | ${"a b d"}
    10 - 20 | ${search("price=10%20-%2020", found)} | ${"a b d"}
    the order of bounds does not matter | ${search("price=20,10", found)} | ${"a b d"}
    three numbers: from the smallest to the largest | ${search("price=10,5,15", found)} | ${"a c d"}
    15 means 15 to 15 | ${search("price=15", found)} | ${"d"}
    10- means 10; Aisle: it is invalid and ignored; open ranges are written with a comma
      | ${search("price=10-", found)} | ${ALL}
    10, means 10; Aisle: 10 and above | ${search("price=20,", found)} | ${"b e"}
    -20 means 20; Aisle: minus 20 | ${search("price=-20", found)} | ${""}
    -5,10 | ${search("price=-5,10", found)} | ${"a c"}
    fractions, with and without a leading digit | ${search("price=.5,5.5", found)} | ${"c"}
    E-n | ${search("price=100E-1", found)} | ${"a"}
    a positive exponent cannot be read; Aisle: it can: Java writes numbers from ten million on so
      | ${search("price=1.0E1", found)} | ${"a"}
    no thousands separators | ${search("price=cheap", found)} | ${ALL}
    an empty value is ignored | ${search("price=", found)} | ${ALL}
    ! | ${search("price=!12%20-%2034", found)} | ${"a c e"}
    .id of a numeric attribute | ${search("campaign.id=2", found)} | ${"a b"}
  `,
  section("3.4")`
    A/B also finds deeper categories | ${search("category=Men/Shoes", found)} | ${"a b"}
    a path starts at the root | ${search("category=Shoes", found)} | ${""}
    paths are case-sensitive | ${search("category=men/shoes", found)} | ${""}
    comma-separated paths are ORed | ${search("category=Men/Shoes/Trail,Women", found)} | ${"a e"}
    a slash in a name is %252F | ${search("category=Sale%252FOutlet", found)} | ${"c"}
    category.id=socks | ${search("category.id=socks", found)} | ${"c"}
    category.id=/men/socks uses the last id | ${search("category.id=/x/socks", found)} | ${"c"}
  `,
  section("3.5")`
    products with the value are excluded | ${search("brand=!Puma", found)} | ${"b e"}
    products without a value remain | ${search("category=!Men", found)} | ${"d e"}
    variant field: some variant lacks the value | ${search("colour=!red", found, null, "fields")} | ${"one three"}
    for a field on both levels, neither the product nor any variant may have the value; Aisle: some variant must pass,
    as for all other fields
      | ${search("size=!42", found)} | ${"a c d e"}
  `,
  section("3.6")`
    a multi-select facet is counted without its own filter
      | ${search("brand=Nike", entries("brand"), multiBrand)} | ${"Puma 3, Adidas 1, Nike 1*"}
    hits pass the filter | ${search("brand=Nike", found, multiBrand)} | ${"e"}
    the same with show-unselected-options
      | ${search(
        "brand=Nike",
        entries("brand"),
        facets({ "source-field": "brand", "show-unselected-options": true }),
      )} | ${"Puma 3, Adidas 1, Nike 1*"}
    other facets are counted within the filter
      | ${search("brand=Puma", entries("color"), multiBrand)} | ${"Blue 1, Red 1"}
    a negated filter also applies to its own facet
      | ${search("brand=!Puma", entries("brand"), multiBrand)} | ${"Adidas 1, Nike 1"}
    a filter-sensitive facet is counted within its filter
      | ${search(
        "brand=Nike",
        entries("brand"),
        facets({ "source-field": "brand", "multi-select": true, "filter-sensitive": true }),
      )} | ${"Nike 1*"}
    flags of the defaults do not change counting
      | ${search("brand=Nike", entries("brand"), {
        "facet-configuration": { "default-term-facet-configuration": { "multi-select": true }, facets: [] },
      })} | ${"Nike 1*"}
    with two such filters, each facet ignores its own
      | ${search(
        "brand=Puma&color=Red",
        (r) => [entries("brand")(r), entries("color")(r)],
        facets({ "source-field": "brand", "multi-select": true }, { "source-field": "color", "multi-select": true }),
      )} | ${["Nike 1, Puma 1*", "Blue 1, Red 1*"]}
  `,
  section("3.7")`
    one variant must satisfy filters of variant fields
      | ${search("colour=red&size=L", found, null, "fields")} | ${"two"}
    different variants may satisfy fields on both levels; Aisle: one variant must satisfy all filters: a blue shoe in
    43 and a red one in 42 are not a red shoe in 43
      | ${search("color=Red&size=43", found)} | ${""}
    different variants may satisfy filters of multi-select facets; Aisle: one variant must satisfy them
      | ${search(
        "color=Red&size=43",
        found,
        facets({ "source-field": "color", "multi-select": true }, { "source-field": "size", "multi-select": true }),
      )} | ${""}
    the matching variant is shown | ${search("color=Blue&brand=Puma&q=shoe", datum("artNr"))} | ${"100_2"}
    a field on both levels with usage Filter alone never matches variants; Aisle: it matches variants
      | ${search("listPrice=1", found)} | ${""}
    values of the product apply to its variants | ${search("brand=Puma&color=Blue", found)} | ${"a"}
  `,
  section("3.8")`
    filters of rules restrict the result | ${ruled("shoe =>\n  FILTER: * brand:Puma", "q=shoe", found)} | ${"a"}
    they do not select facet values
      | ${ruled("shoe =>\n  FILTER: * brand:Puma", "q=shoe", entries("brand"), {
        "facet-configuration": { facets: [{ "source-field": "brand", "min-value-count": 1 }] },
      })} | ${"Puma 1"}
    links do not contain them
      | ${ruled("shoe =>\n  FILTER: * brand:Puma", "q=shoe", (r) => [uri(r), link("color", "Red")(r)])}
      | ${["?q=shoe", "q=shoe&color=red"]}
    of two rules on a field, including overrides excluding
      | ${ruled("red =>\n FILTER: * brand:Puma\nshoe =>\n FILTER: * -brand:Puma", "q=red+shoe", found)} | ${"a"}
    filters of the same kind are ORed
      | ${ruled("red =>\n FILTER: * brand:Puma\nshoe =>\n FILTER: * brand:Adidas", "q=red+shoe", found)} | ${"a b"}
  `,
  section("3.9")`
    ascending | ${search("sort=price", inOrder)} | ${"c a d b e"}
    a leading - sorts in descending order | ${search("sort=-price", inOrder)} | ${"e b d a c"}
    unknown fields are ignored | ${search("sort=zz,price", inOrder)} | ${"c a d b e"}
    a facet field sorts by its values | ${search("sort=brand", inOrder)} | ${"b e a c d"}
    brand.Nike: products with the value first | ${search("sort=brand.Nike,price", inOrder)} | ${"e c a d b"}
    campaign.id.1 sorts by the value with that id | ${search("sort=campaign.id.1", inOrder)} | ${"b c a d e"}
    products without a value are last | ${search("sort=-weight,price", inOrder)} | ${"b a c d e"}
    missing of an option: default 0
      | ${search("sort=weight,price", inOrder, { "sort-configuration": [{ label: "w", field: "weight" }] })}
      | ${"c d e a b"}
    missing of an option: _last
      | ${search("sort=weight,price", inOrder, {
        "sort-configuration": [{ label: "w", field: "weight", missing: "_last" }],
      })} | ${"a b c d e"}
    texts are sorted by code points; Aisle: texts are sorted in the order of the language; case and accents only break
    ties
      | ${search("sort=-brand,price", inOrder)} | ${"d c a e b"}
    ascending by the smallest value of its variants | ${search("q=shirt&sort=price", datum("price"))} | ${30}
    descending by the largest | ${search("q=shirt&sort=-price", datum("price"))} | ${40}
    <field>_prefix is {from} | ${search("q=shirt&sort=price", datum("price_prefix"))} | ${"{from}"}
    <field>_prefix is {to} | ${search("q=shirt&sort=-price", datum("price_prefix"))} | ${"{to}"}
    a product with one value has no prefix | ${search("q=cap&sort=price", datum("price_prefix"))} | ${undefined}
  `,
];
