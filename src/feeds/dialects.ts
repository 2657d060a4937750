/** Exports whose columns are known. Their names come before the general ones (names.ts). */
import type { ColumnRule, VariantRule } from "./model.ts";
import { REGULAR, named, normalized, only, own, skip, text, type Names } from "./names.ts";

export interface Dialect {
  readonly name: string;
  /** Columns that all have to be there. */
  readonly signs: readonly string[];
  readonly id: readonly string[];
  readonly variants: VariantRule["by"] | null;
  /** Columns of the variants rule, in the spelling of `normalized`; the first that is there counts. */
  readonly variantColumn: readonly string[];
  /** What it calls ids are article numbers. */
  readonly hasArticleIds?: boolean;
  readonly columns: Names;
}

/** @param name "Name" in older exports, "name" in newer ones */
function shopifyColumns(name: string): Names {
  const options = [1, 2, 3].map((n): [string, ColumnRule] => [
    `option${n}value`,
    { kind: "attribute", nameColumn: `Option${n} ${name}`, level: "variant" },
  ]);
  return {
    ...Object.fromEntries(options),
    productcategory: { kind: "categories", path: ">" },
    type: text("productType"),
    status: only("active"),
    ...named(
      skip,
      "option1name option2name option3name option1linkedto option2linkedto option3linkedto imageposition imagealttext giftcard seotitle seodescription",
    ),
    ...named(
      skip,
      "mpn gender agegroup googleproductcategory condition customproduct adwordsgrouping adwordslabels",
      "googleshopping",
    ),
  };
}
const SHOPIFY_JSON_OPTIONS: Names = Object.fromEntries(
  [1, 2, 3].map((n) => [
    `variantsoption${n}`,
    { kind: "attribute", nameColumn: "options[].name", nameIndex: n - 1, level: "variant" },
  ]),
);

/** `Attribute 1 name`, `Attribute 1 value(s)`, and their switches, in the language of the shop. */
interface WooWords {
  readonly attribute: string;
  readonly name: string;
  readonly values: string;
  readonly switches: readonly string[];
}
const WOO_ENGLISH: WooWords = {
  attribute: "Attribute",
  name: "name",
  values: "value(s)",
  switches: ["visible", "global", "default"],
};
const WOO_GERMAN: WooWords = {
  attribute: "Attribut",
  name: "Name",
  values: "Wert(e)",
  switches: ["Sichtbar", "Global", "Standard"],
};

function wooAttributes({ attribute, name, values, switches }: WooWords): Names {
  const names: Record<string, ColumnRule> = {};
  for (let n = 1; n <= 20; n++) {
    const column = (word: string): string => `${attribute} ${n} ${word}`;
    names[normalized(column(values))] = {
      kind: "attribute",
      nameColumn: column(name),
      list: ",",
      level: "variant",
    };
    for (const one of [name, ...switches]) names[normalized(column(one))] = skip;
  }
  return names;
}

export const DIALECTS: readonly Dialect[] = [
  {
    name: "Shopify product export",
    signs: ["handle", "variantprice"],
    id: ["Variant SKU"],
    variants: "rows",
    variantColumn: ["handle"],
    columns: {
      ...shopifyColumns("Name"),
      handle: text("handle"),
      published: only("true"),
      imagesrc: { kind: "images", field: "imageUrl" },
      ...named(
        skip,
        "grams inventorytracker inventorypolicy fulfillmentservice requiresshipping taxable weightunit taxcode",
        "variant",
      ),
    },
  },
  {
    name: "Shopify product export",
    signs: ["urlhandle", "option1name", "price"],
    id: ["SKU"],
    variants: "rows",
    variantColumn: ["urlhandle"],
    columns: {
      ...shopifyColumns("name"),
      urlhandle: text("handle"),
      publishedononlinestore: only("true"),
      productimageurl: { kind: "images", field: "imageUrl" },
      variantimageurl: own({ kind: "images", field: "imageUrl" }),
      ...named(
        skip,
        "chargetax taxcode unitpricetotalmeasure unitpricetotalmeasureunit unitpricebasemeasure unitpricebasemeasureunit inventorytracker continuesellingwhenoutofstock weightvaluegrams weightunitfordisplay requiresshipping fulfillmentservice",
      ),
    },
  },
  {
    name: "Shopify products.json",
    signs: ["handle", "variantsprice", "bodyhtml"],
    id: ["id"],
    variants: "nested",
    variantColumn: ["variants"],
    columns: {
      ...SHOPIFY_JSON_OPTIONS,
      handle: text("handle"),
      producttype: { kind: "categories" },
      imagessrc: { kind: "images", field: "imageUrl" },
      variantsfeaturedimagesrc: own({ kind: "images", field: "imageUrl" }),
      status: only("active"),
      ...named(skip, "createdat updatedat publishedat publishedscope templatesuffix admingraphqlapiid"),
      ...named(skip, "name position values id productid", "options"),
      ...named(
        skip,
        "id position createdat updatedat productid variantids width height alt admingraphqlapiid",
        "images",
      ),
      ...named(
        skip,
        "title position productid createdat updatedat taxable requiresshipping grams inventorypolicy inventorymanagement fulfillmentservice inventoryitemid oldinventoryquantity admingraphqlapiid imageid weightunit",
        "variants",
      ),
      ...named(skip, "id variantids position productid createdat updatedat alt width height", "variantsfeaturedimage"),
    },
  },
  {
    name: "WooCommerce product export",
    signs: ["sku", "type", "regularprice"],
    id: ["SKU", "ID"],
    variants: "parent",
    variantColumn: ["parent"],
    columns: {
      ...wooAttributes(WOO_ENGLISH),
      id: skip,
      type: skip,
      parent: skip,
      published: only("1"),
      visibilityincatalog: only("visible", "search"),
      categories: { kind: "categories", list: ",", path: ">" },
      images: own({ kind: "images", field: "imageUrl", list: "," }),
      tags: { kind: "list", field: "tags", list: "," },
      instock: own({ kind: "availability", else: "stock" }),
      ...named(
        skip,
        "isfeatured datesalepricestarts datesalepriceends taxstatus taxclass lowstockamount backordersallowed soldindividually allowcustomerreviews purchasenote shippingclass downloadlimit downloadexpirydays groupedproducts upsells crosssells externalurl buttontext position",
      ),
    },
  },
  {
    name: "WooCommerce product export",
    signs: ["artikelnummer", "typ", "regulaererpreis"],
    id: ["Artikelnummer", "ID"],
    variants: "parent",
    variantColumn: ["uebergeordnetesprodukt", "uebergeordnet"],
    columns: {
      ...wooAttributes(WOO_GERMAN),
      id: skip,
      typ: skip,
      uebergeordnetesprodukt: skip,
      uebergeordnet: skip,
      veroeffentlicht: only("1"),
      sichtbarkeitimkatalog: only("visible", "search"),
      regulaererpreis: REGULAR,
      lager: own({ kind: "number", field: "stock" }),
      kategorien: { kind: "categories", list: ",", path: ">" },
      bilder: own({ kind: "images", field: "imageUrl", list: "," }),
      schlagwoerter: { kind: "list", field: "tags", list: "," },
      vorraetig: own({ kind: "availability", else: "stock" }),
      ...named(
        skip,
        "isthervorgehoben istempfohlen datumandemangebotspreisbeginnt datumandemangebotspreisendet steuerstatus steuerklasse geringelagermenge lieferrückständeerlaubt lieferrückstandeerlaubt nureinzelnverkaufen kundenrezensionenerlauben hinweiszumkauf versandklasse downloadlimit ablauftagedesdownloads gruppierteprodukte zusatzverkäufe crosssellsquerverkäufe querverkäufe externeurl buttontext position",
      ),
    },
  },
  {
    name: "Magento product export",
    signs: ["sku", "attributesetcode", "producttype"],
    id: ["sku"],
    variants: "children",
    variantColumn: ["configurablevariations"],
    columns: {
      categories: { kind: "categories", list: ",", path: "/", skipLevels: 1 },
      additionalattributes: { kind: "attributes", list: ",", pair: "=", level: "variant" },
      productonline: only("1"),
      // Texts of one language only, over the product that they belong to.
      storeviewcode: only(""),
      visibility: only("Catalog, Search", "Search", "Catalog"),
      baseimage: own({ kind: "images", field: "imageUrl" }),
      additionalimages: own({ kind: "images", field: "images", list: "," }),
      urlkey: text("urlKey"),
      ...named(
        skip,
        "configurablevariations configurablevariationlabels attributesetcode producttype productwebsites taxclassname smallimage smallimagelabel thumbnailimage thumbnailimagelabel baseimagelabel swatchimage swatchimagelabel createdat updatedat newfromdate newtodate displayproductoptionsin mapprice msrpprice mapenabled giftmessageavailable customdesign customdesignfrom customdesignto customlayoutupdate pagelayout productoptionscontainer msrpdisplayactualpricetype countryofmanufacture metatitle metakeywords metadescription specialpricefromdate specialpricetodate outofstockqty isqtydecimal allowbackorders mincartqty maxcartqty isinstock notifyonstockbelow managestock qtyincrements enableqtyincrements isdecimaldivided websiteid relatedskus relatedposition crosssellskus crosssellposition upsellskus upsellposition additionalimagelabels hidefromproductpage customoptions bundlepricetype bundleskutype bundlepriceview bundleweighttype bundlevalues bundleshipmenttype associatedskus downloadablelinks downloadablesamples",
      ),
      ...named(
        skip,
        "minqty backorders minsaleqty maxsaleqty notifystockqty managestock qtyincrements enableqtyinc",
        "useconfig",
      ),
    },
  },
  {
    name: "Google Merchant feed",
    hasArticleIds: true,
    signs: ["id", "title", "link", "price"],
    id: ["id"],
    variants: "rows",
    variantColumn: ["itemgroupid"],
    columns: {
      producttype: { kind: "categories", path: ">" },
      // `Black/Green`: the main colour comes first.
      color: own({ kind: "list", field: "color", list: "/" }),
      productdetailattributevalue: {
        kind: "attribute",
        nameColumn: "product_detail.attribute_name",
      },
      productdetailattributename: skip,
      productdetailsectionname: skip,
      identifierexists: skip,
      salepriceeffectivedate: skip,
      ...named(
        skip,
        "shipping shippingcountry shippingservice shippingprice shippingregion tax installment loyaltyprogram shippinglabel shippingweight adult adsredirect customlabel0 customlabel1 customlabel2 customlabel3 customlabel4 excludeddestination includeddestination taxcountry taxrate",
      ),
    },
  },
];
