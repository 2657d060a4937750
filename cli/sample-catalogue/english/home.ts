/** Home & Kitchen. */
import type { Family } from "../family.ts";
import { BED_SIZES, HOME_COLORS, KITCHEN_COLORS } from "../shared.ts";

const COOKS = "Copperfield Kitchen*1.4|Everpan|Hearthline*0.8|Maison Verre*1.5|Lindqvist*1.2";
const APPLIANCES = "Brewster & Co*1.2|Hearthline*0.8|Kuchina|Lindqvist*1.3|Voltaine*0.9";
const TEXTILES = "Softhaven|Maison Verre*1.4|Lindqvist*1.3|Plainfold*0.7|Cotton Mill*1.1";
const FURNITURE = "Timberly|Lindqvist*1.4|Studio Birk*1.7|Homestead*0.8|Oak & Ash*1.3";

export const HOME: readonly Family[] = [
  {
    key: "PAN",
    count: 48,
    categories: ["Home & Kitchen > Cookware > {_type.value}"],
    brands: COOKS,
    price: [22, 70],
    slots: {
      _type:
        "Frying Pan=Pans|Grill Pan*1.1=Pans|Wok*1.1=Pans|Saucepan*0.9=Pots|Stock Pot*1.2=Pots|Casserole*1.4=Pots|Pressure Cooker*1.9=Pots|Roasting Tin=Bakeware",
      material: "Cast Iron*1.4|Stainless Steel*1.2|Aluminium|Carbon Steel*1.1|Enamelled Steel",
      diameter: "20 cm*0.8=20|24 cm=24|28 cm*1.2=28|32 cm*1.4=32",
      coating: "Ceramic Non-Stick|Non-Stick|Uncoated",
    },
    titles: ["{brand} {material} {_type} {diameter}", "{brand} {coating} {_type}, {diameter}, {material}"],
    sentences: [
      "A {material.lower} {_type.lower} of {diameter} diameter, {coating.lower}, for all hobs including induction.",
      "The handle stays cool and is safe in the oven up to 220 degrees.",
      "Spreads heat evenly and browns without burning.",
      "Dishwasher safe, although washing by hand keeps it beautiful for longer.",
    ],
    axes: [],
  },
  {
    key: "KNI",
    count: 36,
    categories: ["Home & Kitchen > Kitchen Tools > Knives & Cutting Boards"],
    brands: "Copperfield Kitchen*1.2|Steelhart*1.6|Lindqvist*1.2|Hearthline*0.6",
    price: [15, 60],
    slots: {
      _type:
        "Chef's Knife|Bread Knife*0.9|Santoku Knife*1.1|Paring Knife*0.5|Steak Knife Set*1.5|Knife Block Set*2.4|Cutting Board*0.8",
      material: {
        by: "_type",
        of: {
          "Chef's Knife": "Damascus Steel*1.8|Stainless Steel|Carbon Steel*1.2",
          "Bread Knife": "Damascus Steel*1.8|Stainless Steel",
          "Santoku Knife": "Damascus Steel*1.8|Stainless Steel|Ceramic*0.9",
          "Paring Knife": "Stainless Steel|Ceramic*0.9|Carbon Steel*1.2",
          "Steak Knife Set": "Stainless Steel|Damascus Steel*1.8",
          "Knife Block Set": "Stainless Steel|Carbon Steel*1.2",
          "Cutting Board": "Bamboo*0.8|Olive Wood*1.3|Oak*1.1|Recycled Plastic*0.6",
        },
      },
      _line: "Forge|Edge|Atelier|Daily|Master",
      handle: "Walnut Handle*1.2|Black Handle|Olive Wood Handle*1.2",
    },
    titles: ["{brand} {_line} {_type}, {material}", "{brand} {_line} {material} {_type}"],
    sentences: [
      "A well balanced {_type.lower} in {material.lower}, made for a lifetime in the kitchen.",
      "Comes in a gift box.",
      "Lies well in the hand and is a pleasure to work with.",
      "Wash by hand and dry at once.",
    ],
    axes: [],
  },
  {
    key: "COF",
    count: 44,
    categories: ["Home & Kitchen > Kitchen Appliances > Coffee Machines"],
    brands: APPLIANCES,
    price: [45, 260],
    slots: {
      _type:
        "Espresso Machine*1.2|Filter Coffee Machine*0.5|Bean-to-Cup Coffee Machine*2.2|Capsule Coffee Machine*0.7|Coffee Grinder*0.5|Milk Frother*0.3|French Press*0.2",
      _line: "Barista|Classico|Morning|Aroma 8|Compact|Crema",
      feature: {
        by: "_type",
        of: {
          "Espresso Machine": "with Milk Frother*1.2|with Grinder*1.4|with Pressure Gauge*1.1|15 Bar",
          "Filter Coffee Machine": "with Timer|with Thermal Jug*1.2|for 12 Cups|with Glass Jug",
          "Bean-to-Cup Coffee Machine": "with Milk System*1.2|with Touch Display*1.2|with App Control*1.2",
          "Capsule Coffee Machine": "with Milk Frother*1.3|with Eco Mode|for Small Kitchens",
          "Coffee Grinder": "with Conical Burrs*1.4|with 30 Grind Settings*1.2|with Timer",
          "Milk Frother": "for Hot and Cold Milk*1.2|with Stand|for Induction",
          "French Press": "for 3 Cups*0.8|for 8 Cups|with Double Wall*1.3",
        },
      },
      _finish: "Barista Series|Family Size|Home Edition|2026",
    },
    titles: ["{brand} {_line} {_type} {feature}", "{brand} {_line} {_type} {feature}, {_finish}"],
    sentences: [
      "A {_type.lower} {feature.lower} for coffee like in your favourite cafe.",
      "Heats up in less than 40 seconds.",
      "The water tank holds 1.5 litres and goes into the dishwasher.",
      "Switches itself off after 20 minutes.",
      "Cleaning programme at the press of a button.",
    ],
    axes: [{ ...KITCHEN_COLORS, pick: [1, 3] }],
  },
  {
    key: "KET",
    count: 34,
    categories: ["Home & Kitchen > Kitchen Appliances > Kettles & Toasters"],
    brands: APPLIANCES,
    price: [22, 70],
    slots: {
      _type:
        "Electric Kettle|Glass Kettle*1.1|2-Slice Toaster|4-Slice Toaster*1.3|Gooseneck Kettle*1.4|Sandwich Toaster",
      _line: "Retro|Dawn|Pure|Nordic|Quick",
      feature: "with Temperature Control*1.3|Cordless|with Defrost Function|with Keep Warm Function*1.1|BPA Free",
    },
    titles: ["{brand} {_line} {_type} {feature}"],
    sentences: [
      "A {_type.lower} {feature.lower} in the {_line.lower} design.",
      "Stands firmly on rubber feet; the cable is wound up underneath.",
      "With limescale filter and cool-touch housing.",
      "Matches the other appliances of the {_line} series.",
    ],
    axes: [KITCHEN_COLORS],
  },
  {
    key: "BLE",
    count: 40,
    categories: ["Home & Kitchen > Kitchen Appliances > {_type.value}"],
    brands: APPLIANCES,
    price: [35, 180],
    slots: {
      _type:
        "Stand Mixer*1.9=Mixers|Hand Mixer*0.5=Mixers|Hand Blender*0.5=Blenders|Smoothie Maker*0.6=Blenders|High-Speed Blender*1.2=Blenders|Food Processor*1.3=Food Processors|Air Fryer*1.1=Air Fryers & Grills|Raclette Grill*0.7=Air Fryers & Grills|Waffle Maker*0.5=Air Fryers & Grills",
      power: {
        by: "_type",
        of: {
          Mixers: "300 W*0.7=300|500 W=500|800 W*1.2=800|1,200 W*1.5=1200",
          Blenders: "350 W*0.8=350|600 W=600|1,000 W*1.2=1000|1,400 W*1.4=1400",
          "Food Processors": "600 W=600|800 W*1.1=800|1,100 W*1.3=1100",
          "Air Fryers & Grills": "900 W*0.9=900|1,400 W=1400|1,800 W*1.2=1800",
        },
      },
      _line: "Chef|Mixit|Gusto|Family|Turbo",
      feature: {
        by: "_type",
        of: {
          Mixers: "with Dough Hooks|with Turbo Button|with Planetary Mixing*1.3",
          Blenders: "with Glass Jug*1.1|with Travel Bottle|with Ice Crush Function",
          "Food Processors": "with 8 Discs*1.2|with Recipe Book|with Scales*1.2",
          "Air Fryers & Grills": "for the Whole Family*1.2|with Non-Stick Plates|Compact",
        },
      },
    },
    titles: ["{brand} {_line} {_type} {power}", "{brand} {_line} {_type} {feature}"],
    sentences: [
      "A powerful {_type.lower} with {power} for everyday cooking and baking.",
      "All removable parts are dishwasher safe.",
      "Stepless speed control and pulse function.",
      "Small footprint for small kitchens.",
    ],
    axes: [{ ...KITCHEN_COLORS, pick: [1, 2] }],
  },
  {
    key: "DIN",
    count: 40,
    categories: ["Home & Kitchen > Tableware > {_type.value}"],
    brands: "Maison Verre*1.4|Lindqvist*1.2|Hearthline*0.7|Claywork*1.3|Softhaven*0.9",
    price: [15, 60],
    slots: {
      _type:
        "Dinner Plates=Plates & Bowls|Cereal Bowls*0.8=Plates & Bowls|Dinner Set*2.2=Plates & Bowls|Coffee Mugs*0.8=Mugs & Cups|Espresso Cups*0.7=Mugs & Cups|Wine Glasses=Glasses|Water Glasses*0.8=Glasses|Cutlery Set*1.6=Cutlery",
      material: {
        by: "_type",
        of: {
          "Plates & Bowls": "Stoneware|Porcelain*1.3|Bamboo Fibre*0.8",
          "Mugs & Cups": "Stoneware|Porcelain*1.2|Enamel",
          Glasses: "Crystal Glass*1.5|Recycled Glass|Borosilicate Glass*1.2",
          Cutlery: "Stainless Steel|Brushed Steel*1.2|Gold-Coloured Steel*1.4",
        },
      },
      pieces: "Set of 2*0.6=2|Set of 4=4|Set of 6*1.4=6|Set of 12*2.5=12",
      style: "Nordic|Rustic|Classic|Modern",
    },
    titles: ["{brand} {style} {material} {_type}, {pieces}", "{brand} {material} {_type} {pieces}"],
    sentences: [
      "{_type} in {material.lower}, {pieces.lower}, for every day and for guests.",
      "A {style.lower} shape that combines with other series.",
      "Dishwasher safe.",
      "Each piece is slightly different, as it should be.",
    ],
    axes: [{ ...HOME_COLORS, pick: [1, 3] }],
  },
  {
    key: "BED",
    count: 44,
    categories: ["Home & Kitchen > Bedroom > Bed Linen"],
    brands: TEXTILES,
    price: [25, 90],
    slots: {
      _type: "Duvet Cover Set|Fitted Sheet*0.5|Bed Linen Set*1.1|Bedspread*1.2|Pillowcases*0.4",
      material: "Organic Cotton*1.2|Linen*1.8|Cotton Percale*1.1|Cotton Satin*1.3|Flannel|Microfibre*0.7",
      pattern: "Plain|Striped|Floral|Checked|Botanical",
    },
    titles: ["{brand} {material} {_type}, {pattern}", "{brand} {pattern} {_type} in {material}"],
    sentences: [
      "A {pattern.lower} {_type.lower} in {material.lower} for quiet nights.",
      "Gets softer with every wash.",
      "Certified free of harmful substances.",
      "With concealed buttons; machine washable at 60 degrees.",
    ],
    axes: [HOME_COLORS, BED_SIZES],
  },
  {
    key: "PIL",
    count: 32,
    categories: ["Home & Kitchen > Bedroom > Pillows & Duvets"],
    brands: TEXTILES,
    price: [25, 110],
    slots: {
      _type:
        "Duvet*1.3|Neck Support Pillow*0.7|Down Pillow*0.8|Memory Foam Pillow*0.7|Mattress Topper*1.8|Weighted Blanket*1.1",
      filling: "Goose Down*2|Memory Foam*1.1|Merino Wool*1.5|Recycled Fibre|Bamboo*1.2",
      season: "All Season|Summer|Winter",
    },
    titles: ["{brand} {season} {_type}, {filling}", "{brand} {_type} with {filling} Filling"],
    sentences: [
      "A {_type.lower} filled with {filling.lower} that keeps the temperature even.",
      "The cover is breathable cotton.",
      "Suitable for people with house dust allergy.",
      "Washable at 60 degrees and fit for the dryer.",
    ],
    axes: [BED_SIZES],
  },
  {
    key: "TOW",
    count: 30,
    categories: ["Home & Kitchen > Bathroom > {_type.value}"],
    brands: TEXTILES,
    price: [12, 40],
    slots: {
      _type:
        "Bath Towel=Towels|Hand Towel Set=Towels|Hammam Towel=Towels|Bath Mat*0.9=Bath Mats|Shower Curtain*0.9=Shower Curtains|Bathrobe*2.2=Bathrobes",
      material: "Organic Cotton*1.2|Egyptian Cotton*1.5|Cotton|Bamboo Viscose*1.2|Recycled Polyester*0.8",
      weight: "Light|Medium*1.1|Extra Thick*1.3",
    },
    titles: ["{brand} {material} {_type}", "{brand} {weight} {_type} in {material}"],
    sentences: [
      "A soft {_type.lower} in {material.lower}.",
      "Dries quickly and keeps its colour.",
      "With a loop for hanging.",
      "Washable at 60 degrees.",
    ],
    axes: [HOME_COLORS],
  },
  {
    key: "LAM",
    count: 48,
    categories: ["Home & Kitchen > Lighting > {_type.value}"],
    brands: "Studio Birk*1.5|Lindqvist*1.2|Glimmer|Hearthline*0.7|Oak & Ash*1.1",
    price: [25, 110],
    slots: {
      _type:
        "Floor Lamp*1.3=Floor Lamps|Table Lamp*0.8=Table Lamps|Desk Lamp*0.8=Table Lamps|Pendant Light=Ceiling Lights|Ceiling Light=Ceiling Lights|Wall Light*0.8=Wall Lights|String Lights*0.4=Outdoor Lighting|Solar Garden Lights*0.5=Outdoor Lighting",
      material: "Metal|Wood*1.1|Glass*1.2|Rattan|Concrete*1.1|Paper*0.7",
      style: "Scandinavian|Industrial|Modern|Vintage|Boho",
      feature: "Dimmable*1.1|LED|with USB Port|with Touch Switch|Energy Saving",
    },
    titles: ["{brand} {style} {material} {_type}", "{brand} {feature} {_type}, {style} Design"],
    sentences: [
      "A {style.lower} {_type.lower} in {material.lower} that gives warm light.",
      "{feature}, for bulbs with E27 base.",
      "The cable is covered with fabric.",
      "Easy to mount with the material provided.",
    ],
    axes: [{ ...HOME_COLORS, pick: [1, 2] }],
  },
  {
    key: "RUG",
    count: 34,
    categories: ["Home & Kitchen > Living Room > Rugs & Curtains"],
    brands: TEXTILES,
    price: [35, 140],
    slots: {
      _type: "Rug*1.2|Runner Rug*0.8|Round Rug*1.1|Blackout Curtains*0.6|Linen Curtains*0.8|Outdoor Rug*0.9",
      material: "Wool*1.6|Cotton|Jute*0.8|Recycled Polyester*0.8|Linen*1.3",
      pattern: "Plain|Berber|Geometric|Oriental|Striped",
    },
    titles: ["{brand} {pattern} {_type} in {material}", "{brand} {material} {_type}, {pattern}"],
    sentences: [
      "A {pattern.lower} {_type.lower} in {material.lower} that makes the room warmer.",
      "Hard-wearing and suitable for underfloor heating.",
      "Woven by hand.",
      "Vacuum regularly; treat stains at once.",
    ],
    axes: [
      { ...HOME_COLORS, pick: [1, 2] },
      {
        name: "size",
        choices: "80 x 150 cm*0.6|120 x 170 cm|160 x 230 cm*1.7|200 x 290 cm*2.5",
        pick: [2, 4],
        run: true,
      },
    ],
  },
  {
    key: "CHA",
    count: 48,
    categories: ["Home & Kitchen > Furniture > {_type.value}"],
    brands: FURNITURE,
    price: [70, 260],
    slots: {
      _type:
        "Dining Chair*0.8=Chairs|Office Chair*1.2=Office Furniture|Armchair*1.8=Sofas & Armchairs|2-Seater Sofa*3.2=Sofas & Armchairs|Corner Sofa*5=Sofas & Armchairs|Bar Stool*0.7=Chairs|Standing Desk*2.4=Office Furniture|Rocking Chair*1.4=Chairs",
      material: "Velvet*1.1|Solid Oak*1.5|Leather*1.9|Rattan|Beech*1.2|Recycled Fabric|Metal*0.9",
      style: "Scandinavian|Mid-Century|Modern|Industrial|Country House",
    },
    titles: ["{brand} {style} {_type}, {material}", "{brand} {material} {_type} in {style} Style"],
    sentences: [
      "A {style.lower} {_type.lower} in {material.lower}, comfortable for hours.",
      "Solid legs with felt glides protect the floor.",
      "Carries up to 130 kg.",
      "Assembled in 20 minutes, tools included.",
    ],
    axes: [{ ...HOME_COLORS, pick: [1, 3] }],
  },
  {
    key: "TBL",
    count: 36,
    categories: ["Home & Kitchen > Furniture > {_type.value}"],
    brands: FURNITURE,
    price: [60, 260],
    slots: {
      _type:
        "Dining Table*1.8=Tables|Coffee Table=Tables|Side Table*0.5=Tables|Bedside Table*0.6=Bedroom Furniture|Bookcase*1.1=Shelves & Cabinets|Wall Shelf*0.4=Shelves & Cabinets|Sideboard*1.9=Shelves & Cabinets|TV Unit*1.5=Shelves & Cabinets|Shoe Cabinet=Hallway Furniture",
      material: "Solid Oak*1.6|Walnut*1.7|Pine*0.8|Acacia*1.2|Bamboo|White Lacquered*0.9",
      width: "60 cm*0.7=60|90 cm=90|120 cm*1.2=120|160 cm*1.5=160|180 cm*1.7=180",
    },
    titles: ["{brand} {material} {_type} {width}", "{brand} {_type} in {material}, {width} Wide"],
    sentences: [
      "A {_type.lower} in {material.lower}, {width} wide, with a quiet design.",
      "Oiled by hand, so every piece shows its own grain.",
      "Wood from certified forestry.",
      "Delivered in one flat package.",
    ],
    axes: [],
  },
  {
    key: "STO",
    count: 32,
    categories: ["Home & Kitchen > Storage & Organisation > {_type.value}"],
    brands: "Homestead|Plainfold*0.7|Timberly*1.2|Hearthline*0.9",
    price: [8, 40],
    slots: {
      _type:
        "Storage Box=Boxes & Baskets|Laundry Basket*1.2=Boxes & Baskets|Food Storage Containers=Kitchen Storage|Spice Rack=Kitchen Storage|Clothes Rail*1.6=Wardrobe|Coat Hangers*0.7=Wardrobe|Pedal Bin*1.5=Bins",
      material: {
        by: "_type",
        of: {
          "Boxes & Baskets": "Bamboo*1.1|Recycled Plastic*0.8|Seagrass*1.1|Felt|Cotton Rope*1.1",
          "Kitchen Storage": "Glass*1.2|Bamboo*1.1|Recycled Plastic*0.8|Metal",
          Wardrobe: "Bamboo*1.1|Metal|Beech*1.2",
          Bins: "Metal|Recycled Plastic*0.8|Stainless Steel*1.3",
        },
      },
      "pack-size": "1 Piece=1|Set of 2*1.6=2|Set of 3*2.1=3",
    },
    titles: ["{brand} {material} {_type}, {pack-size}"],
    sentences: [
      "A practical {_type.lower} in {material.lower} that brings order to every room.",
      "Stackable and easy to clean.",
      "With handles for carrying.",
      "Folds flat when not in use.",
    ],
    axes: [{ ...HOME_COLORS, pick: [1, 3] }],
  },
  {
    key: "VAC",
    count: 36,
    categories: ["Home & Kitchen > Household Appliances > {_type.value}"],
    brands: APPLIANCES,
    price: [60, 260],
    slots: {
      _type:
        "Cordless Vacuum Cleaner*1.2=Vacuum Cleaners|Robot Vacuum*1.6=Vacuum Cleaners|Bagless Vacuum Cleaner=Vacuum Cleaners|Steam Iron*0.4=Irons|Steam Mop*0.8=Floor Care|Fan Heater*0.5=Heating & Cooling|Tower Fan*0.6=Heating & Cooling|Air Purifier*1.1=Heating & Cooling|Dehumidifier*1.1=Heating & Cooling",
      _line: "Clean 5|Breeze|Eco|Silent|Max Power|S8",
      feature: {
        by: "_type",
        of: {
          "Vacuum Cleaners": "with HEPA Filter*1.1|for Pet Hair|Extra Quiet*1.1|with LED Nozzle",
          Irons: "with Steam Boost|with Ceramic Soleplate*1.1|Cordless*1.2",
          "Floor Care": "for Hard Floors|with 10 Cloths|with Swivel Head",
          "Heating & Cooling": "with App Control*1.2|with Timer|Extra Quiet*1.1|with Remote Control",
        },
      },
      "noise-level": "48 dB*1.1=48|58 dB=58|65 dB=65|72 dB*0.95=72",
    },
    titles: ["{brand} {_line} {_type} {feature}"],
    sentences: [
      "A {_type.lower} {feature.lower} for flats and houses, only {noise-level} loud.",
      "The battery lasts up to 60 minutes.",
      "Filters can be washed under running water.",
      "With wall holder and three nozzles.",
    ],
    axes: [],
  },
];
