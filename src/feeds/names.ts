/**
 * What columns are usually called. Names are compared in lower case without anything but letters and digits, and with
 * umlauts written out, so `Sale price`, `sale_price` and `g:sale_price` are one, and `Größe` is `groesse`.
 */
import type { ColumnRule } from "./model.ts";

export type Names = Readonly<Record<string, ColumnRule>>;

/** Members of JSON that hold the variants of a product. */
export const VARIANT_MEMBERS = ["variants", "variations", "skus", "children"] as const;
/** Before the name of a column in them. */
export const VARIANT = new RegExp(String.raw`^(${VARIANT_MEMBERS.join("|")})\[\]\.`);

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

export function normalized(column: string): string {
  return column
    .toLowerCase()
    .replace(/^[a-z]+:/, "")
    .normalize("NFC")
    .replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Columns are called as shops like, `constructor` included. */
export function ruleNamed(names: Names, name: string): ColumnRule | null {
  return Object.hasOwn(names, name) ? names[name] : null;
}

export const skip: ColumnRule = { kind: "skip" };
export const text = (field: string): ColumnRule => ({ kind: "text", field });
export const own = (rule: ColumnRule): ColumnRule => ({ ...rule, level: "variant" });
const SALE: ColumnRule = { kind: "price", field: "price", level: "variant" };
/** The regular price: the price where there is no other. */
export const REGULAR: ColumnRule = {
  kind: "price",
  field: "listPrice",
  else: "price",
  level: "variant",
};
export const only = (...values: readonly string[]): ColumnRule => ({ kind: "only", values });

/** @param prefix of each name */
export function named(rule: ColumnRule, names: string, prefix = ""): Names {
  return Object.fromEntries(names.split(" ").map((name) => [normalized(prefix + name), rule]));
}

/** English and German; others are guessed by their values and keep their names. */
export const GENERAL: Names = {
  // The document's id says it.
  id: skip,
  ...named(
    text("title"),
    "title name productname productlabel articlename articletitle itemtitle displayname producttitle itemname posttitle titel produktname bezeichnung artikelbezeichnung artikelname produktbezeichnung nom nombre titolo",
  ),
  ...named(
    { kind: "html", field: "description" },
    "description longdescription descr desc bodyhtml body descriptionhtml productdescription beschreibung langbeschreibung langtext artikelbeschreibung produktbeschreibung",
  ),
  ...named({ kind: "html", field: "shortDescription" }, "shortdescription excerpt kurzbeschreibung kurztext summary"),
  ...named(
    text("brand"),
    "brand brands brandname manufacturer manufacturername make maker vendor marke hersteller herstellername markenname",
  ),
  ...named(
    SALE,
    "price preis verkaufspreis bruttopreis bruttovk vk pricegrossinclvat priceinclvat priceincltax unitprice einzelpreis sellingprice retailprice preisbrutto preisinklmwst preisinklust preiseur priceeur pricegross grossprice vkbrutto vkpreis variantprice finalprice prix precio prezzo priceamount",
  ),
  ...named(SALE, "saleprice specialprice angebotspreis sonderpreis aktionspreis"),
  ...named(
    { kind: "price", field: "listPrice", level: "variant" },
    "listprice compareatprice was wasprice originalprice pricewas stattpreis uvpbrutto variantcompareatprice oldprice msrp uvp rrp streichpreis",
  ),
  ...named(REGULAR, "regularprice normalpreis"),
  ...named(
    own({ kind: "number", field: "stock" }),
    "stock quantity qty qtyonhand onhand qtyavailable stockqty stockonhand availableqty availablestock quantityavailable lagermenge lagerstand bestandsmenge inventory inventoryquantity stockquantity stocklevel lagerbestand bestand menge verfügbaremenge variantinventoryqty availablequantity",
  ),
  ...named(
    own({ kind: "availability", field: "availability", else: "stock" }),
    "availability available lieferstatus lieferbarkeit isavailable instock isinstock onstock stockstatus availabilitystatus verfügbarkeit verfügbar lieferbar auflager vorrätig",
  ),
  ...named(
    own(text("artNr")),
    "sku artnr artikelnummer artno articleno itemno productno partno partnumber itemcode productcode articlecode artikelcode bestellnummer bestellnr materialnummer ordernumber articlenumber artikelnr itemnumber productnumber variantsku",
  ),
  ...named(own(text("ean")), "ean ean13 gtin gtin13 barcode variantbarcode upc isbn isbn13 isbn10 gtinupceanorisbn"),
  ...named(text("currency"), "currency currencycode pricecurrency priceamountcurrency währung"),
  ...named(own(text("mpn")), "mpn herstellernummer han herstellerartikelnummer manufacturerpartnumber"),
  ...named(own(text("color")), "color colour farbe couleur"),
  ...named(own(text("size")), "size größe taille"),
  ...named(
    { kind: "text", field: "productUrl" },
    "url link producturl deeplink permalink produkturl productlink onlinestoreurl",
  ),
  ...named(
    own({ kind: "images", field: "imageUrl" }),
    "image images imageurl media mediaurl cover coverimage coverurl covermediaurl mainimage mainimageurl productimage productimages hauptbild produktbild produktbilder artikelbild abbildung img imgurl imagelink imageurls picture pictures bild bilder bildurl bildlink imagesrc variantimage baseimage additionalimagelink additionalimages thumbnail imagessrc",
  ),
  ...named(
    { kind: "categories" },
    "category categories categorypath producttype kategorie kategorien kategoriepfad categoriespath warengruppe productcategory googleproductcategory categoriesname",
  ),
  ...named({ kind: "list", field: "tags" }, "tags keywords schlagworte"),
  ...named(skip, "taxrate tax taxclass taxclassname mwst mwstsatz ust steuersatz steuerklasse vat vatrate"),
};

/** What a product costs the shop, or brings it, is nobody's business. */
export const SECRET =
  /einkauf|purchaseprice|wholesale|^(net|unit)?cost(s|price|peritem|ofgoods\w*)?$|^ek(preis|netto)?$|marge|margin|deckungsbeitrag|rohertrag/;

/** Prices without tax: shoppers see the others. */
export const NET_PRICE =
  /^(net(to)?(price|preis|vk)|(price|pricing|prices|preis|vk)net(to)?|price(ex|excl|without)(tax|vat)|preisohnemwst)$/;

/** In order of preference. The value must be there in every record and differ between them. */
export const ID_NAMES =
  "id objectid productid itemid offerid sku identifier artikelnummer artnr articlenumber artikelnr productnumber itemno artno articleno productno partnumber itemcode productcode articlecode artikelcode bestellnummer bestellnr materialnummer variantsku variantid code handle gtin ean".split(
    " ",
  );

/** Rows that share a value are one product. */
export const GROUP_NAMES =
  "parent parentproduct parentproductid parentproductnumber parentproductsku vaterartikel vaterartikelnummer identifizierungsspaltevaterartikel itemgroupid groupid productgroupid masterid parentid parentsku parentskus masterarticlenumber masterarticle hauptartikel hauptartikelnummer variantevon variantof modelid styleid".split(
    " ",
  );
