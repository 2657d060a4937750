/** Filters and sorting: section 3 of the reference's behaviour. */
import type { SearchResult } from "../../../src/interface/index.ts";
import {
  datum,
  entries,
  facetNames,
  found,
  inOrder,
  link,
  ours,
  ruled,
  same,
  search,
  type Section,
} from "./claim.ts";

const facets = (...all: readonly object[]): Record<string, unknown> => ({
  "facet-configuration": { facets: all },
});
const multiBrand = facets({ "source-field": "brand", "multi-select": true });
const uri = ({ inputURI }: SearchResult): string => inputURI;
const ALL = "a b c d e";

export const FILTERS: readonly Section[] = [
  {
    of: "3.1",
    claims: [
      same("parameters that are no field are no filter", search("nothing=1", found), ALL),
      same("a field with neither Facet nor Filter is none", search("title=Cap", found), ALL),
      same("! negates all values", search("brand=!Puma,Adidas", found), "e"),
      same("empty values are dropped", search("brand=,Nike,", found), "e"),
      same("%252C is a comma in a value", search("material=Mesh%252C%20fine", found), "a"),
      ours(
        "%252c is none",
        "it is a comma as well: many libraries write escapes in lower case",
        search("material=Mesh%252c%20fine", found),
        "a",
      ),
      same("color=red,!black is color=red", search("brand=Adidas,!Puma", found), "b"),
      same("color=!red,!black is color=!red,black", search("brand=!Puma,!Adidas", found), "e"),
      same("a number field takes ranges", search("price=1-12", found), "a c"),
      same("a category field takes paths", search("category=Men/Socks", found), "c"),
      same("fields are AND", search("brand=Puma&price=10", found), "a"),
      same("values of a field are OR", search("brand=Adidas,Nike", found), "b e"),
    ],
  },
  {
    of: "3.2",
    claims: [
      same("case does not matter", search("brand=PUMA", found), "a c d"),
      same("whole values only", search("brand=Pum", found), ""),
      same("usage Filter without Facet filters", search("shelf=a1", found, null, "fields"), "one"),
      same(
        "usage Filter without Facet makes no facet",
        search("", (r) => facetNames(r).includes("shelf"), null, "fields"),
        false,
      ),
      ours(
        "ids are compared in lower case, so those with capitals never match",
        "ids are compared exactly",
        search("material.id=Mesh1", found),
        "a",
      ),
      ours("", "an id of another case is another id", search("material.id=mesh1", found), ""),
      ours(
        ".id of a field with usage Filter alone is ignored",
        "it filters by the id",
        search("shelf.id=none", found, null, "fields"),
        "",
      ),
      same("name and id both hold", search("material=Leather&material.id=Mesh1", found), ""),
      same("name and id of one value", search("material=Leather&material.id=L", found), "b"),
    ],
  },
  {
    of: "3.3",
    claims: [
      same("10,20", search("price=10,20", found), "a b d"),
      same("10-20", search("price=10-20", found), "a b d"),
      same("10 - 20", search("price=10%20-%2020", found), "a b d"),
      same("the order does not matter", search("price=20,10", found), "a b d"),
      same(
        "of three numbers the smallest and the largest",
        search("price=10,5,15", found),
        "a c d",
      ),
      same("15 is 15 to 15", search("price=15", found), "d"),
      ours(
        "10- is the number 10",
        "it cannot be read and is ignored; open ranges are written with a comma",
        search("price=10-", found),
        ALL,
      ),
      ours("10, is the number 10", "from 10 on", search("price=20,", found), "b e"),
      ours("-20 is the number 20", "a number below zero", search("price=-20", found), ""),
      same("-5,10", search("price=-5,10", found), "a c"),
      same("fractions, with and without a leading digit", search("price=.5,5.5", found), "c"),
      same("E-n", search("price=100E-1", found), "a"),
      ours(
        "a positive exponent cannot be read",
        "it can: Java writes numbers from ten million on so",
        search("price=1.0E1", found),
        "a",
      ),
      same("no thousands separators", search("price=cheap", found), ALL),
      same("empty is ignored", search("price=", found), ALL),
      same("!", search("price=!12%20-%2034", found), "a c e"),
      same(".id of a numeric attribute", search("campaign.id=2", found), "a b"),
    ],
  },
  {
    of: "3.4",
    claims: [
      same("A/B finds what is deeper, too", search("category=Men/Shoes", found), "a b"),
      same("a path begins at the root", search("category=Shoes", found), ""),
      same("case matters", search("category=men/shoes", found), ""),
      same("paths with a comma are OR", search("category=Men/Shoes/Trail,Women", found), "a e"),
      same("a slash in a name is %252F", search("category=Sale%252FOutlet", found), "c"),
      same("category.id=socks", search("category.id=socks", found), "c"),
      same(
        "of category.id=/men/socks the last one counts",
        search("category.id=/x/socks", found),
        "c",
      ),
    ],
  },
  {
    of: "3.5",
    claims: [
      same("products with the value are out", search("brand=!Puma", found), "b e"),
      same("products without any value stay", search("category=!Men", found), "d e"),
      same(
        "of a variant field: some variant does not have it",
        search("colour=!red", found, null, "fields"),
        "one three",
      ),
      ours(
        "of a field on both levels: neither the product nor any variant may have it",
        "some variant passes, whatever the level (one rule for all fields)",
        search("size=!42", found),
        "a c d e",
      ),
    ],
  },
  {
    of: "3.6",
    claims: [
      same(
        "a multi-select facet is counted without its own filter",
        search("brand=Nike", entries("brand"), multiBrand),
        "Puma 3, Adidas 1, Nike 1*",
      ),
      same("hits pass it", search("brand=Nike", found, multiBrand), "e"),
      same(
        "show-unselected-options, too",
        search(
          "brand=Nike",
          entries("brand"),
          facets({ "source-field": "brand", "show-unselected-options": true }),
        ),
        "Puma 3, Adidas 1, Nike 1*",
      ),
      same(
        "other facets are counted with it",
        search("brand=Puma", entries("color"), multiBrand),
        "Blue 1, Red 1",
      ),
      same(
        "a negated filter is none",
        search("brand=!Puma", entries("brand"), multiBrand),
        "Adidas 1, Nike 1",
      ),
      same(
        "a filter-sensitive facet has none",
        search(
          "brand=Nike",
          entries("brand"),
          facets({ "source-field": "brand", "multi-select": true, "filter-sensitive": true }),
        ),
        "Nike 1*",
      ),
      same(
        "flags of the defaults make none",
        search("brand=Nike", entries("brand"), {
          "facet-configuration": {
            "default-term-facet-configuration": { "multi-select": true },
            facets: [],
          },
        }),
        "Nike 1*",
      ),
      same(
        "two of them ignore each its own",
        search(
          "brand=Puma&color=Red",
          (r) => [entries("brand")(r), entries("color")(r)],
          facets(
            { "source-field": "brand", "multi-select": true },
            { "source-field": "color", "multi-select": true },
          ),
        ),
        ["Nike 1, Puma 1*", "Blue 1, Red 1*"],
      ),
    ],
  },
  {
    of: "3.7",
    claims: [
      same(
        "filters of variant fields hold on one variant",
        search("colour=red&size=L", found, null, "fields"),
        "two",
      ),
      ours(
        "fields on both levels may be met by different variants",
        "all filters hold on one variant: a red shoe in 43 is not a blue one in 43 and a red one in 42",
        search("color=Red&size=43", found),
        "",
      ),
      ours(
        "filters of multi-select facets may be met by different variants",
        "they hold on one variant",
        search(
          "color=Red&size=43",
          found,
          facets(
            { "source-field": "color", "multi-select": true },
            { "source-field": "size", "multi-select": true },
          ),
        ),
        "",
      ),
      same(
        "the variant that passes is shown",
        search("color=Blue&brand=Puma&q=shoe", datum("artNr")),
        "100_2",
      ),
      ours(
        "a field on both levels with usage Filter alone never matches variants",
        "it does",
        search("listPrice=1", found),
        "",
      ),
      same(
        "values of the product hold for its variants",
        search("brand=Puma&color=Blue", found),
        "a",
      ),
    ],
  },
  {
    of: "3.8",
    claims: [
      same(
        "filters of rules filter",
        ruled("shoe =>\n  FILTER: * brand:Puma", "q=shoe", found),
        "a",
      ),
      same(
        "they select nothing in facets",
        ruled("shoe =>\n  FILTER: * brand:Puma", "q=shoe", entries("brand"), {
          "facet-configuration": { facets: [{ "source-field": "brand", "min-value-count": 1 }] },
        }),
        "Puma 1",
      ),
      same(
        "they are in no link",
        ruled("shoe =>\n  FILTER: * brand:Puma", "q=shoe", (r) => [
          uri(r),
          link("color", "Red")(r),
        ]),
        ["?q=shoe", "q=shoe&color=red"],
      ),
      same(
        "of two rules on a field include wins over exclude",
        ruled(
          "red =>\n FILTER: * brand:Puma\nshoe =>\n FILTER: * -brand:Puma",
          "q=red+shoe",
          found,
        ),
        "a",
      ),
      same(
        "equal kinds are united",
        ruled(
          "red =>\n FILTER: * brand:Puma\nshoe =>\n FILTER: * brand:Adidas",
          "q=red+shoe",
          found,
        ),
        "a b",
      ),
    ],
  },
  {
    of: "3.9",
    claims: [
      same("ascending", search("sort=price", inOrder), "c a d b e"),
      same("- descends", search("sort=-price", inOrder), "e b d a c"),
      same("unknown ones are ignored", search("sort=zz,price", inOrder), "c a d b e"),
      same("a facet field sorts by its values", search("sort=brand", inOrder), "b e a c d"),
      same(
        "brand.Nike: those with it first",
        search("sort=brand.Nike,price", inOrder),
        "e c a d b",
      ),
      same(
        "campaign.id.1 sorts by the value with that id",
        search("sort=campaign.id.1", inOrder),
        "b c a d e",
      ),
      same("missing values are last", search("sort=-weight,price", inOrder), "b a c d e"),
      same(
        "missing of an option: 0 where it says nothing",
        search("sort=weight,price", inOrder, {
          "sort-configuration": [{ label: "w", field: "weight" }],
        }),
        "c d e a b",
      ),
      same(
        "missing of an option: _last",
        search("sort=weight,price", inOrder, {
          "sort-configuration": [{ label: "w", field: "weight", missing: "_last" }],
        }),
        "a b c d e",
      ),
      ours(
        "texts by code points",
        "in the order of the language, case and accents in the second place",
        search("sort=-brand,price", inOrder),
        "d c a e b",
      ),
      same(
        "ascending by the smallest value of its variants",
        search("q=shirt&sort=price", datum("price")),
        30,
      ),
      same("descending by the largest", search("q=shirt&sort=-price", datum("price")), 40),
      same(
        "<field>_prefix is {from}",
        search("q=shirt&sort=price", datum("price_prefix")),
        "{from}",
      ),
      same("<field>_prefix is {to}", search("q=shirt&sort=-price", datum("price_prefix")), "{to}"),
      same(
        "of one value there is none",
        search("q=cap&sort=price", datum("price_prefix")),
        undefined,
      ),
    ],
  },
];
