/** Clothing & Shoes. */
import type { Family } from "../family.ts";
import { ADULTS, APPAREL_COLORS, CLOTHING_SIZES, GENDERS, SHOE_COLORS, SHOE_SIZES } from "../shared.ts";

const BASICS = "Tidewell|Brightloom|Harrow & Pine*1.4|Calloway Street*1.2|Plainfold*0.7|Fennway";
const TAILORED = "Harrow & Pine*1.3|Lumenne*1.5|Calloway Street|Ashcombe*1.8|Fennway*0.9";
const SHOEMAKERS = "Stridewell|Ashcombe*1.5|Cobble & Co|Ferrano*1.7|Daywalk*0.7|Lumenne*1.2";

const MACHINE_WASH = "Machine washable at 30 degrees.";

export const CLOTHING: readonly Family[] = [
  {
    key: "TSH",
    count: 48,
    categories: ["Clothing & Shoes > {gender} Clothing > T-Shirts"],
    brands: BASICS,
    price: [9, 25],
    slots: {
      gender: GENDERS,
      material: "Cotton|Organic Cotton*1.2|Linen Blend*1.4|Merino Wool*2.4|Bamboo Viscose*1.3",
      neckline: "Crew Neck|V-Neck|Henley",
      fit: "Slim Fit|Regular Fit|Relaxed Fit",
      pattern: "Plain|Striped|Printed",
    },
    titles: [
      "{brand} {gender} {material} {neckline} T-Shirt",
      "{brand} {gender} {fit} {pattern} T-Shirt in {material}",
      "{brand} {gender} {pattern} {neckline} T-Shirt, {fit}",
    ],
    sentences: [
      "An everyday {neckline.lower} t-shirt made of soft {material.lower}.",
      "The {fit.lower} follows the body without clinging.",
      "Flat seams and a reinforced collar keep it in shape wash after wash.",
      MACHINE_WASH,
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "SHI",
    count: 40,
    categories: ["Clothing & Shoes > {gender} Clothing > Shirts & Blouses"],
    brands: TAILORED,
    price: [28, 60],
    slots: {
      gender: ADULTS,
      _type: {
        by: "gender",
        of: {
          Men: "Oxford Shirt|Flannel Shirt|Linen Shirt*1.2|Denim Shirt|Poplin Business Shirt*1.3",
          Women: "Linen Shirt*1.1|Flannel Shirt|Satin Blouse*1.4|Ruffle Blouse|Denim Shirt",
        },
      },
      sleeve: "Long Sleeve|Short Sleeve",
      fit: "Slim Fit|Regular Fit|Oversized",
      pattern: "Plain|Checked|Striped|Floral",
    },
    titles: ["{brand} {gender} {sleeve} {_type}, {pattern}", "{brand} {gender} {pattern} {_type} {fit}"],
    sentences: [
      "A {pattern.lower} {_type.lower} with {sleeve.lower} that works at the desk and at the weekend.",
      "Cut in an easy {fit.lower} with a curved hem.",
      "Easy to iron and quick to dry.",
      "Mother-of-pearl effect buttons and a chest pocket.",
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "JEA",
    count: 40,
    categories: ["Clothing & Shoes > {gender} Clothing > Jeans"],
    brands: "Oakridge Denim*1.3|Indigo Row|Tidewell*0.8|Rivet & Thread*1.6|Plainfold*0.6",
    price: [35, 80],
    slots: {
      gender: ADULTS,
      fit: "Skinny Fit|Slim Fit|Straight Fit|Bootcut|Wide Leg|Tapered Fit",
      wash: "Dark Wash|Stonewashed|Light Wash|Black Denim|Raw Denim*1.3",
      rise: "High Rise|Mid Rise",
    },
    titles: ["{brand} {gender} {fit} Jeans, {wash}", "{brand} {gender} {rise} {fit} Stretch Jeans {wash}"],
    sentences: [
      "{fit} jeans in {wash.lower} with a touch of stretch for all-day comfort.",
      "Five pockets, a button fly and sturdy belt loops.",
      "The {rise.lower} sits comfortably and stays in place.",
      "Wash inside out to keep the colour.",
    ],
    axes: [
      {
        name: "size",
        choices: {
          by: "gender",
          of: { Men: "W30|W31|W32|W33|W34|W36|W38", Women: "W25|W26|W27|W28|W29|W30|W31|W32" },
        },
        pick: [4, 6],
        run: true,
      },
    ],
  },
  {
    key: "DRS",
    count: 44,
    categories: ["Clothing & Shoes > Women's Clothing > Dresses"],
    brands: "Lumenne*1.4|Petite Rivage*1.6|Brightloom*0.8|Fennway|Calloway Street*1.1",
    price: [35, 90],
    slots: {
      gender: "Women's=Women",
      style: "Wrap Dress|Shirt Dress|Sundress*0.8|Slip Dress|Jersey Dress*0.8|Cocktail Dress*1.5|Knit Dress",
      length: "Mini|Midi|Maxi*1.1",
      pattern: "Floral|Plain|Polka Dot|Striped|Leopard Print",
      occasion: "Everyday|Summer|Party|Office|Wedding Guest",
    },
    titles: ["{brand} {pattern} {length} {style}", "{brand} Women's {length} {style} in {pattern} Design"],
    sentences: [
      "A {pattern.lower} {length.lower} {style.lower} for {occasion.lower} wear.",
      "Lightweight fabric that moves with you and hardly creases.",
      "Side pockets and an adjustable waist.",
      "Fully lined, with a concealed zip.",
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "HOO",
    count: 40,
    categories: ["Clothing & Shoes > {gender} Clothing > Hoodies & Sweatshirts"],
    brands: BASICS,
    price: [25, 55],
    slots: {
      gender: GENDERS,
      _type: "Hoodie|Zip Hoodie*1.1|Sweatshirt*0.9|Half-Zip Sweatshirt|Fleece Hoodie*1.2",
      material: "Organic Cotton*1.2|Cotton Blend|Recycled Polyester|Brushed Cotton*1.1",
      fit: "Regular Fit|Oversized|Relaxed Fit",
    },
    titles: ["{brand} {gender} {material} {_type}", "{brand} {gender} {fit} {_type}"],
    sentences: [
      "A warm {_type.lower} in {material.lower} with a soft inside.",
      "Kangaroo pocket, ribbed cuffs and hem.",
      "{fit} for layering over a t-shirt.",
      MACHINE_WASH,
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "JAC",
    count: 52,
    categories: ["Clothing & Shoes > {gender} Clothing > {_type.value}"],
    alsoIn: [{ share: 0.25, path: "Clothing & Shoes > New Season > Jackets & Coats" }],
    brands: "Harrow & Pine*1.4|Norrfell*1.5|Fennway|Brightloom*0.8|Ashcombe*1.7|Tidewell*0.9",
    price: [60, 120],
    slots: {
      gender: GENDERS,
      _type:
        "Puffer Jacket*1.1=Winter Jackets|Down Parka*1.8=Winter Jackets|Rain Jacket*0.8=Rain Jackets|Denim Jacket*0.8=Casual Jackets|Bomber Jacket=Casual Jackets|Wool Coat*1.6=Coats|Trench Coat*1.4=Coats|Quilted Vest*0.7=Vests",
      feature: "Hooded|Waterproof*1.2|Water-Repellent*1.1|Windproof*1.1|Lightweight",
      season: "Winter|Spring|Autumn|All Season",
    },
    titles: ["{brand} {gender} {feature} {_type}", "{brand} {gender} {_type}, {feature} for {season}"],
    sentences: [
      "A {feature.lower} {_type.lower} for {season.lower} days in town and in the country.",
      "Two-way zip with a storm flap, inside pocket for the phone.",
      "Adjustable hood and cuffs keep wind and rain out.",
      "Filled with recycled insulation that is warm even when damp.",
      "The outer fabric is treated without PFCs.",
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "SWE",
    count: 38,
    categories: ["Clothing & Shoes > {gender} Clothing > Sweaters & Cardigans"],
    brands: TAILORED,
    price: [35, 75],
    slots: {
      gender: GENDERS,
      material: "Merino Wool*1.4|Lambswool*1.2|Cashmere*3|Cotton|Alpaca Blend*1.6|Acrylic*0.7",
      _type: "Sweater|Turtleneck Sweater|Cardigan*1.1|V-Neck Sweater|Cable Knit Sweater*1.2|Knit Vest*0.8",
      fit: "Regular Fit|Slim Fit|Oversized",
    },
    titles: ["{brand} {gender} {material} {_type}", "{brand} {gender} {fit} {_type} in {material}"],
    sentences: [
      "Knitted from {material.lower}, this {_type.lower} is light and warm.",
      "Ribbed at collar, cuffs and hem.",
      "{fit} with set-in sleeves.",
      "Hand wash or wool programme; dry flat.",
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "TRO",
    count: 36,
    categories: ["Clothing & Shoes > {gender} Clothing > Trousers & Shorts"],
    brands: BASICS,
    price: [28, 60],
    slots: {
      gender: GENDERS,
      _type:
        "Chinos|Cargo Trousers*1.1|Pleated Trousers*1.1|Joggers*0.8|Corduroy Trousers|Chino Shorts*0.7|Bermuda Shorts*0.7",
      fit: "Slim Fit|Regular Fit|Relaxed Fit|Tapered Fit",
      material: "Cotton|Stretch Cotton|Linen Blend*1.1|Organic Cotton*1.1",
    },
    titles: ["{brand} {gender} {fit} {_type}", "{brand} {gender} {_type} in {material}, {fit}"],
    sentences: [
      "Comfortable {_type.lower} in {material.lower} with a {fit.lower}.",
      "Side pockets, two back pockets with buttons.",
      "Elastic waistband with drawstring inside.",
      MACHINE_WASH,
    ],
    axes: [APPAREL_COLORS, CLOTHING_SIZES],
  },
  {
    key: "SNE",
    count: 46,
    categories: ["Clothing & Shoes > {gender} Shoes > Sneakers"],
    brands: SHOEMAKERS,
    price: [45, 100],
    slots: {
      gender: GENDERS,
      _line: "Court|Metro|Retro 84|Canvas Classic|Urban Low|Avenue|Terrace",
      material: "Leather*1.3|Canvas*0.8|Suede*1.2|Recycled Mesh|Vegan Leather",
      cut: "Low-Top|High-Top|Slip-On",
    },
    titles: ["{brand} {_line} {gender} {material} Sneakers", "{brand} {gender} {cut} {material} Sneakers {_line}"],
    sentences: [
      "{cut} sneakers with a {material.lower} upper and a cushioned insole.",
      "The rubber sole grips on wet pavement.",
      "Padded collar, textile lining, removable insole.",
      "Goes with jeans as well as with a dress.",
    ],
    axes: [SHOE_COLORS, SHOE_SIZES],
  },
  {
    key: "BOO",
    count: 38,
    categories: ["Clothing & Shoes > {gender} Shoes > Boots"],
    brands: SHOEMAKERS,
    price: [70, 140],
    slots: {
      gender: GENDERS,
      _type: "Chelsea Boots|Ankle Boots|Lace-Up Boots|Winter Boots*1.1|Desert Boots*0.9|Rubber Boots*0.5",
      material: "Leather*1.2|Suede*1.1|Nubuck|Vegan Leather*0.9",
      lining: "Warm Lined*1.1|Leather Lined*1.1|Textile Lined",
    },
    titles: ["{brand} {gender} {material} {_type}", "{brand} {gender} {_type}, {lining}"],
    sentences: [
      "{_type} in {material.lower}, {lining.lower}, with a treaded sole.",
      "The heel measures about 3 cm.",
      "A pull tab at the back makes them easy to put on.",
      "Treat the {material.lower} with a protective spray before first wear.",
    ],
    axes: [SHOE_COLORS, SHOE_SIZES],
  },
  {
    key: "SAN",
    count: 26,
    categories: ["Clothing & Shoes > {gender} Shoes > Sandals"],
    brands: SHOEMAKERS,
    price: [25, 70],
    slots: {
      gender: GENDERS,
      _type:
        "Slide Sandals*0.7|Strappy Sandals|Trekking Sandals*1.3|Flip Flops*0.4|Cork Footbed Sandals|Espadrilles*0.8",
      material: "Leather*1.2|Vegan Leather|Textile*0.8",
    },
    titles: ["{brand} {gender} {material} {_type}"],
    sentences: [
      "{_type} with a soft {material.lower} upper for warm days.",
      "The moulded footbed supports the arch.",
      "Light, flexible sole.",
      "Adjustable straps for a secure hold.",
    ],
    axes: [SHOE_COLORS, SHOE_SIZES],
  },
  {
    key: "DSH",
    count: 28,
    categories: ["Clothing & Shoes > {gender} Shoes > Formal Shoes"],
    brands: "Ashcombe*1.3|Ferrano*1.5|Cobble & Co|Lumenne",
    price: [70, 150],
    slots: {
      gender: ADULTS,
      _type: {
        by: "gender",
        of: {
          Men: "Oxford Shoes|Derby Shoes|Penny Loafers|Brogues*1.1|Monk Strap Shoes*1.2",
          Women: "Pumps|Block Heel Pumps|Ballet Flats*0.7|Penny Loafers|Slingbacks",
        },
      },
      material: "Calf Leather*1.3|Patent Leather*1.1|Suede|Smooth Leather",
    },
    titles: ["{brand} {gender} {material} {_type}", "{brand} {gender} {_type} in {material}"],
    sentences: [
      "Elegant {_type.lower} in {material.lower} for the office and for celebrations.",
      "Leather lining and a cushioned insole.",
      "Welted sole that can be replaced.",
      "Delivered with a dust bag.",
    ],
    axes: [SHOE_COLORS, SHOE_SIZES],
  },
  {
    key: "SOC",
    count: 30,
    categories: ["Clothing & Shoes > {gender} Clothing > Underwear & Socks"],
    brands: BASICS,
    price: [8, 22],
    slots: {
      gender: GENDERS,
      _type: {
        by: "gender",
        of: {
          Men: "Boxer Shorts*1.4|Ankle Socks|Business Socks|Wool Socks*1.3|Thermal Leggings*1.8",
          Women: "Ankle Socks|Tights*0.9|Briefs*1.2|Wool Socks*1.3|Thermal Leggings*1.8",
          Kids: "Ankle Socks|Tights|Briefs|Wool Socks*1.3",
        },
      },
      "pack-size": "2-Pack=2|3-Pack*1.3=3|5-Pack*1.8=5|7-Pack*2.2=7",
      material: "Cotton|Organic Cotton*1.2|Merino Blend*1.5|Bamboo Viscose*1.2",
    },
    titles: ["{brand} {gender} {material} {_type}, {pack-size}"],
    sentences: [
      "{_type} in soft {material.lower}, sold as a {pack-size.lower}.",
      "Flat toe seams and a comfortable waistband do not press.",
      "Breathable and quick drying.",
      "Machine washable at 40 degrees.",
    ],
    axes: [
      { ...APPAREL_COLORS, pick: [1, 2] },
      { ...CLOTHING_SIZES, pick: [2, 3] },
    ],
  },
  {
    key: "BAG",
    count: 40,
    categories: ["Clothing & Shoes > Bags & Luggage > {_type.value}"],
    brands: "Ferrano*1.6|Satchel Row*1.2|Lumenne*1.4|Daywalk*0.6|Norrfell",
    price: [35, 95],
    slots: {
      _type:
        "Tote Bag*0.8=Handbags|Crossbody Bag*0.8=Handbags|Shoulder Bag=Handbags|Laptop Backpack*1.1=Backpacks|City Backpack=Backpacks|Weekender*1.3=Travel Bags|Cabin Suitcase*1.5=Suitcases|Trolley Suitcase*2=Suitcases",
      material: "Leather*1.8|Vegan Leather|Canvas*0.8|Recycled Polyester*0.9|Nylon*0.9",
      feature: "with Laptop Compartment|with Zip Pocket|Water-Repellent|Extra Light|with Padded Straps",
    },
    titles: ["{brand} {material} {_type} {feature}", "{brand} {_type} in {material}, {feature}"],
    sentences: [
      "A {material.lower} {_type.lower} with room for everything the day needs.",
      "Inside pockets for keys and phone.",
      "Metal zips that run smoothly.",
      "Fits the hand luggage rules of most airlines.",
    ],
    axes: [{ ...APPAREL_COLORS, pick: [1, 4] }],
  },
  {
    key: "ACC",
    count: 36,
    categories: ["Clothing & Shoes > Accessories > {_type.value}"],
    brands: TAILORED,
    price: [12, 35],
    slots: {
      _type:
        "Beanie*0.8=Hats & Caps|Baseball Cap*0.8=Hats & Caps|Sun Hat=Hats & Caps|Scarf=Scarves & Gloves|Touchscreen Gloves=Scarves & Gloves|Reversible Belt*1.2=Belts & Wallets|Slim Wallet*1.2=Belts & Wallets|Sunglasses*1.5=Sunglasses",
      material: {
        by: "_type",
        of: {
          "Hats & Caps": "Cotton|Wool*1.2|Recycled Polyester|Linen",
          "Scarves & Gloves": "Cashmere*2.5|Merino Wool*1.5|Acrylic*0.8|Lambswool*1.2",
          "Belts & Wallets": "Leather*1.5|Vegan Leather|Suede*1.3",
          Sunglasses: "Acetate|Polarized*1.5|Metal Frame*1.2",
        },
      },
      gender: "Men's=Men|Women's=Women|Unisex",
    },
    titles: ["{brand} {gender} {material} {_type}", "{brand} {material} {_type} {gender}"],
    sentences: [
      "A {_type.lower} that goes with everything, made of {material.lower}.",
      "One size fits most.",
      "Comes in a gift box.",
      "Carefully finished in small batches.",
    ],
    axes: [{ ...APPAREL_COLORS, pick: [1, 4] }],
  },
];
