/** Sports & Outdoor. */
import type { Family } from "../family.ts";
import { ADULTS, CLOTHING_SIZES, GENDERS, SHOE_SIZES, SPORT_COLORS } from "../shared.ts";

const OUTDOOR =
  "Northpeak*1.3|Trailhound|Summit Theory*1.6|Riverbend*0.8|Campfield*0.7|Norrfell*1.2";
const FITNESS = "Ironclad Fitness*1.2|Swiftline|Motiva*0.8|Asana & Co*1.1|Velocita*1.3";
const CYCLING = "Velocita*1.3|Pedalmoor|Chainring Supply*0.9|Gravelli*1.6";

export const SPORTS: readonly Family[] = [
  {
    key: "RUN",
    count: 48,
    categories: ["Sports & Outdoor > Running > Running Shoes"],
    alsoIn: [{ share: 0.6, path: "Clothing & Shoes > {gender} Shoes > Sports Shoes" }],
    brands: "Swiftline|Velocita*1.4|Stridewell*0.9|Motiva*0.7|Northpeak*1.2",
    price: [60, 130],
    slots: {
      gender: GENDERS,
      _line: "Tempo|Glide|Ridge|Pacer 3|Cloudline|Sprint|Endure",
      surface: "Road|Trail*1.1|Track",
      cushioning: "Neutral|Stability*1.1|Maximum Cushioning*1.2",
      feature: "Waterproof*1.15|Lightweight|Carbon Plate*1.6|Breathable",
    },
    titles: [
      "{brand} {_line} {gender} {surface} Running Shoes",
      "{brand} {gender} {_line} Running Shoes, {feature}, {cushioning}",
    ],
    sentences: [
      "{surface} running shoes with {cushioning.lower} for training and race day.",
      "The engineered mesh upper is {feature.lower} and fits like a sock.",
      "Drop 8 mm, reflective details for runs at dusk.",
      "The outsole grips on wet ground and lasts for many hundred miles.",
    ],
    axes: [SPORT_COLORS, SHOE_SIZES],
  },
  {
    key: "HIK",
    count: 40,
    categories: ["Sports & Outdoor > Hiking & Trekking > Hiking Boots & Shoes"],
    alsoIn: [{ share: 0.4, path: "Clothing & Shoes > {gender} Shoes > Boots" }],
    brands: OUTDOOR,
    price: [70, 150],
    slots: {
      gender: GENDERS,
      _type: "Hiking Boots|Hiking Shoes*0.8|Trekking Boots*1.3|Approach Shoes",
      _line: "Granite|Alpine|Fjord|Canyon|Summit",
      material: "Nubuck Leather*1.2|Suede|Recycled Mesh*0.9|Full-Grain Leather*1.3",
      feature: "Waterproof*1.1|Breathable|Insulated*1.1",
    },
    titles: [
      "{brand} {_line} {gender} {feature} {_type}",
      "{brand} {gender} {_line} {_type} in {material}",
    ],
    sentences: [
      "{feature} {_type.lower} in {material.lower} for day trips and long tours.",
      "The deep profile finds hold on rock and mud.",
      "A padded shaft supports the ankle.",
      "Can be resoled.",
    ],
    axes: [
      { name: "color", choices: "Brown|Anthracite|Olive Green|Black|Stone Grey", pick: [1, 2] },
      SHOE_SIZES,
    ],
  },
  {
    key: "TEN",
    count: 34,
    categories: ["Sports & Outdoor > Camping > Tents"],
    brands: OUTDOOR,
    price: [70, 190],
    slots: {
      _type:
        "Dome Tent|Tunnel Tent*1.3|Pop-Up Tent*0.7|Family Tent*1.8|Trekking Tent*1.4|Roof Tent*5",
      persons: "1-Person*0.7=1|2-Person=2|3-Person*1.3=3|4-Person*1.6=4|6-Person*2.2=6",
      _line: "Aurora|Basecamp|Fjell|Nomad|Lakeside",
      season: "3-Season|4-Season*1.4|Summer*0.9",
    },
    titles: ["{brand} {_line} {persons} {_type}", "{brand} {persons} {season} {_type} {_line}"],
    sentences: [
      "A {persons.lower} {_type.lower} that is pitched in minutes.",
      "Water column of 3,000 mm, taped seams.",
      "Two entrances and a porch for the luggage.",
      "Aluminium poles, repair kit and pegs included.",
    ],
    axes: [{ name: "color", choices: "Forest Green|Orange|Sand|Grey", pick: [1, 2] }],
  },
  {
    key: "SLB",
    count: 32,
    categories: ["Sports & Outdoor > Camping > Sleeping Bags"],
    brands: OUTDOOR,
    price: [35, 140],
    slots: {
      _type:
        "Mummy Sleeping Bag*1.2|Rectangular Sleeping Bag*0.8|Kids' Sleeping Bag*0.6|Double Sleeping Bag*1.3|Sleeping Quilt",
      filling: "Down*2|Synthetic|Recycled Fibre*1.1",
      temperature: "Comfort 10 °C*0.8=10|Comfort 5 °C=5|Comfort 0 °C*1.3=0",
      _line: "Dream|Polar|Drift|Meadow|Night Sky",
    },
    titles: ["{brand} {_line} {_type}, {filling}", "{brand} {_line} {_type} {temperature}"],
    sentences: [
      "A {_type.lower} with {filling.lower} filling for nights at {temperature.lower}.",
      "Packs down to the size of a water bottle.",
      "The two-way zip does not catch.",
      "Delivered with a compression bag.",
    ],
    axes: [{ name: "color", choices: "Navy Blue|Red|Olive Green|Grey", pick: [1, 2] }],
  },
  {
    key: "BPK",
    count: 34,
    categories: ["Sports & Outdoor > Hiking & Trekking > Backpacks"],
    alsoIn: [{ share: 0.3, path: "Clothing & Shoes > Bags & Luggage > Backpacks" }],
    brands: OUTDOOR,
    price: [40, 120],
    slots: {
      _type: "Hiking Backpack|Trekking Backpack*1.4|Daypack*0.7|Hydration Pack|Bike Backpack*0.8",
      volume: "12 L*0.7=12|20 L*0.8=20|28 L=28|40 L*1.2=40|55 L*1.5=55|65 L*1.7=65",
      _line: "Ascent|Vale|Crest|Wayfarer|Scout",
      feature: "with Rain Cover*1.1|Ultralight*1.2|with Ventilated Back*1.1|Waterproof*1.1",
    },
    titles: ["{brand} {_line} {volume} {_type}", "{brand} {_line} {_type} {volume} {feature}"],
    sentences: [
      "A {volume} {_type.lower} {feature.lower} that sits close to the back.",
      "Hip belt with pockets for snacks and phone.",
      "Straps for poles and ice axe.",
      "Made of recycled ripstop nylon.",
    ],
    axes: [SPORT_COLORS],
  },
  {
    key: "BIK",
    count: 40,
    categories: ["Sports & Outdoor > Cycling > {_type.value}"],
    brands: CYCLING,
    price: [350, 800],
    slots: {
      _type:
        "Mountain Bike=Mountain Bikes|Road Bike*1.3=Road Bikes|City Bike*0.8=City & Trekking Bikes|Trekking Bike=City & Trekking Bikes|Electric Bike*2.6=Electric Bikes|Kids' Bike*0.4=Kids' Bikes|Gravel Bike*1.4=Road Bikes|Folding Bike=City & Trekking Bikes",
      _line: "Ranger|Dash|Courier|Vista|Pro 5|Sierra",
      "wheel-size": "20-Inch*0.8=20|26-Inch=26|27.5-Inch=27.5|28-Inch=28|29-Inch*1.1=29",
      gears: "7-Speed*0.9=7|10-Speed=10|12-Speed*1.2=12|24-Speed*1.1=24",
      brakes: "Hydraulic Disc Brakes*1.1|Rim Brakes*0.9|Mechanical Disc Brakes",
    },
    titles: [
      "{brand} {_line} {wheel-size} {_type}",
      "{brand} {_line} {_type} {wheel-size}, {gears}, {brakes}",
    ],
    sentences: [
      "A {_type.lower} with {wheel-size.lower} wheels, {gears.lower} gears and {brakes.lower}.",
      "The light aluminium frame is comfortable on long rides.",
      "Delivered 95 percent assembled with tools.",
      "Lights, mudguards and carrier can be added.",
    ],
    axes: [
      { name: "color", choices: "Matt Black|Petrol Blue|White|Red|Sand", pick: [1, 2] },
      { name: "size", choices: "S|M|L|XL", pick: [2, 4], run: true },
    ],
  },
  {
    key: "HEL",
    count: 38,
    categories: ["Sports & Outdoor > Cycling > {_type.value}"],
    brands: CYCLING,
    price: [20, 80],
    slots: {
      _type:
        "Bike Helmet*1.2=Helmets|Kids' Bike Helmet*0.7=Helmets|Bike Light Set*0.6=Lights & Locks|Folding Lock=Lights & Locks|Chain Lock*0.9=Lights & Locks|Floor Pump*0.7=Tools & Pumps|Bike Multi-Tool*0.5=Tools & Pumps|Pannier Bag=Bike Bags",
      _line: "Aero|Urban|Guard|Beam|Tour",
      feature: {
        by: "_type",
        of: {
          Helmets: "Reflective|Lightweight*1.2|Ventilated",
          "Lights & Locks": "Heavy Duty*1.2|Compact|Weatherproof",
          "Tools & Pumps": "Compact|Alloy*1.2|Workshop*1.3",
          "Bike Bags": "Waterproof*1.2|Reflective|Large*1.2",
        },
      },
    },
    titles: ["{brand} {_line} {feature} {_type}"],
    sentences: [
      "A {feature.lower} {_type.lower} for the way to work and for weekend tours.",
      "Tested according to European standards.",
      "Easy to handle, even with gloves.",
      "Three-year warranty.",
    ],
    axes: [{ ...SPORT_COLORS, pick: [1, 3] }],
  },
  {
    key: "YOG",
    count: 34,
    categories: ["Sports & Outdoor > Fitness > Yoga & Pilates"],
    brands: FITNESS,
    price: [12, 60],
    slots: {
      _type: "Yoga Mat*1.1|Travel Yoga Mat|Exercise Mat*0.8|Pilates Mat|Folding Gym Mat*1.1",
      material: "Natural Rubber*1.4|Cork*1.3|TPE|Organic Cotton*1.2|Recycled Foam",
      _line: "Lotus|Balance|Earth|Daily",
      thickness: "3 mm*0.9=3|5 mm=5|6 mm=6|10 mm*1.2=10",
    },
    titles: [
      "{brand} {_line} {material} {_type}",
      "{brand} {_line} {_type} {thickness}, {material}",
    ],
    sentences: [
      "A non-slip {_type.lower} in {material.lower} for practice at home and in the studio.",
      "Gentle to joints and easy to wipe clean.",
      "With carrying strap.",
      "Free of latex and phthalates.",
    ],
    axes: [{ name: "color", choices: "Violet|Teal|Black|Dusty Pink|Sage Green", pick: [1, 4] }],
  },
  {
    key: "DUM",
    count: 40,
    categories: ["Sports & Outdoor > Fitness > Weights & Strength Training"],
    brands: FITNESS,
    price: [18, 70],
    slots: {
      _type:
        "Dumbbell Set*1.3|Kettlebell|Adjustable Dumbbell*2.4|Barbell*1.6|Medicine Ball*0.8|Ankle Weights*0.7|Weight Plates",
      weight: {
        by: "_type",
        of: {
          "Dumbbell Set": "2 kg*0.6=2|4 kg*0.8=4|10 kg=10|20 kg*1.6=20|30 kg*2.1=30",
          Kettlebell: "4 kg*0.7=4|8 kg=8|12 kg*1.3=12|16 kg*1.6=16|24 kg*2=24",
          "Adjustable Dumbbell": "20 kg=20|25 kg*1.2=25|40 kg*1.7=40",
          Barbell: "10 kg=10|15 kg*1.3=15|20 kg*1.6=20",
          "Medicine Ball": "3 kg*0.8=3|5 kg=5|8 kg*1.2=8",
          "Ankle Weights": "1 kg*0.8=1|2 kg=2",
          "Weight Plates": "5 kg*0.8=5|10 kg=10|20 kg*1.7=20",
        },
      },
      material: {
        by: "_type",
        of: {
          "Dumbbell Set": "Cast Iron*1.1|Neoprene|Vinyl*0.8|Chrome*1.2",
          Kettlebell: "Cast Iron|Neoprene|Vinyl*0.8",
          "Adjustable Dumbbell": "Steel*1.1|Cast Iron",
          Barbell: "Chrome*1.1|Steel",
          "Medicine Ball": "Rubber|Synthetic Leather*1.1",
          "Ankle Weights": "Neoprene",
          "Weight Plates": "Cast Iron|Rubber*1.2",
        },
      },
      _line: "Force|Home Gym|Power|Basic",
    },
    titles: ["{brand} {_line} {material} {_type} {weight}", "{brand} {_type} {weight}, {material}"],
    sentences: [
      "A {_type.lower} in {material.lower} for strength training at home.",
      "The surface gives a safe grip, even with sweaty hands.",
      "With a poster of 30 exercises.",
      "Protects the floor.",
    ],
    axes: [],
  },
  {
    key: "CRD",
    count: 26,
    categories: ["Sports & Outdoor > Fitness > Cardio Machines"],
    brands: FITNESS,
    price: [140, 480],
    slots: {
      _type:
        "Treadmill*1.5|Exercise Bike|Rowing Machine*1.2|Elliptical Trainer*1.3|Mini Stepper*0.3|Indoor Cycle*1.2",
      _line: "Home 3|Studio|Power|Flow|Elite",
      feature: "Foldable|with App|with Heart Rate Monitor*1.1|Extra Quiet*1.1",
    },
    titles: ["{brand} {_line} {_type} {feature}", "{brand} {_line} {feature} {_type}"],
    sentences: [
      "A {feature.lower} {_type.lower} for training in your own four walls.",
      "16 levels of resistance and 12 programmes.",
      "The display shows time, distance, speed and calories.",
      "Carries up to 130 kg.",
    ],
    axes: [],
  },
  {
    key: "BOT",
    count: 36,
    categories: ["Sports & Outdoor > Hiking & Trekking > Water Bottles & Flasks"],
    alsoIn: [{ share: 0.3, path: "Home & Kitchen > Tableware > Bottles & Lunch Boxes" }],
    brands: OUTDOOR,
    price: [12, 35],
    slots: {
      _type:
        "Water Bottle|Insulated Bottle*1.3|Thermos Flask*1.4|Travel Mug*1.1|Kids' Drinking Bottle*0.8",
      material: "Stainless Steel*1.2|Tritan|Aluminium|Glass*1.1",
      capacity: "350 ml*0.8=350|500 ml=500|750 ml*1.2=750|1 L*1.4=1000|1.5 L*1.6=1500",
    },
    titles: ["{brand} {material} {_type} {capacity}", "{brand} {_type} {capacity}, {material}"],
    sentences: [
      "A leakproof {_type.lower} in {material.lower} that holds {capacity}.",
      "Keeps drinks cold for 24 hours and hot for 12.",
      "Wide mouth for ice cubes and easy cleaning.",
      "Free of BPA.",
    ],
    axes: [SPORT_COLORS],
  },
  {
    key: "SPW",
    count: 48,
    categories: ["Sports & Outdoor > Sportswear > {_type.value}"],
    alsoIn: [{ share: 0.5, path: "Clothing & Shoes > {gender} Clothing > Sportswear" }],
    brands: FITNESS,
    price: [20, 60],
    slots: {
      gender: GENDERS,
      _type: {
        by: "gender",
        of: {
          Men: "Running Shorts=Shorts|Training T-Shirt=Tops|Track Pants*1.3=Pants & Tights|Compression Tights*1.2=Pants & Tights|Running Jacket*1.8=Jackets",
          Women:
            "Sports Bra=Sports Bras|Yoga Leggings*1.2=Pants & Tights|Running Tights*1.2=Pants & Tights|Training Top=Tops|Running Jacket*1.8=Jackets",
          Kids: "Training T-Shirt=Tops|Track Pants*1.2=Pants & Tights|Football Shorts*0.8=Shorts",
        },
      },
      material: "Recycled Polyester|Merino Blend*1.5|Stretch Jersey|Quick-Dry Mesh",
      _line: "Motion|Core|Elevate|Race|Flow",
    },
    titles: ["{brand} {_line} {gender} {_type}", "{brand} {gender} {_line} {_type} in {material}"],
    sentences: [
      "{_type} in {material.lower} that carry moisture away from the skin.",
      "Flat seams prevent chafing.",
      "With a small zip pocket for the key.",
      "Reflective print at the back.",
    ],
    axes: [SPORT_COLORS, CLOTHING_SIZES],
  },
  {
    key: "OUT",
    count: 36,
    categories: ["Sports & Outdoor > Hiking & Trekking > Outdoor Clothing"],
    alsoIn: [{ share: 0.4, path: "Clothing & Shoes > {gender} Clothing > Outdoor Jackets" }],
    brands: OUTDOOR,
    price: [50, 140],
    slots: {
      gender: ADULTS,
      _type:
        "Hardshell Jacket*1.5|Softshell Jacket|Fleece Jacket*0.7|Down Jacket*1.4|Hiking Trousers*0.8|Zip-Off Trousers*0.8|Rain Trousers*0.6",
      _line: "Storm|Tundra|Ridge|Glacier|Moor",
      feature: "Waterproof*1.2|Windproof|Breathable|Packable",
    },
    titles: ["{brand} {_line} {gender} {feature} {_type}", "{brand} {gender} {_line} {_type}"],
    sentences: [
      "{feature} {_type.lower} for every weather in the mountains.",
      "Water column of 20,000 mm, sealed seams.",
      "Zips under the arms let heat out.",
      "Made of recycled material without PFCs.",
    ],
    axes: [SPORT_COLORS, CLOTHING_SIZES],
  },
  {
    key: "SKI",
    count: 30,
    categories: ["Sports & Outdoor > Winter Sports > {_type.value}"],
    brands: "Northpeak*1.3|Alpenrausch*1.2|Summit Theory*1.5|Motiva*0.7",
    price: [40, 180],
    slots: {
      _type:
        "Ski Jacket*1.3=Ski Jackets|Ski Trousers*1.1=Ski Trousers|Ski Helmet*0.7=Ski Helmets|Snowboard Jacket*1.2=Ski Jackets|Ski Gloves*0.4=Ski Gloves|Thermal Underwear Set*0.5=Base Layers",
      gender: "Men's=Men|Women's=Women|Kids'*0.7=Kids",
      _line: "Powder|Slope|Carve|Freeride|Snowfall",
      feature: "Insulated|Ventilated*1.1|Slim Cut|Lightweight*1.1",
    },
    titles: ["{brand} {_line} {gender} {_type}", "{brand} {gender} {feature} {_type} {_line}"],
    sentences: [
      "{feature} {_type.lower} for cold days on the slope.",
      "Made for long runs, deep snow and short breaks in the sun.",
      "Comfortable down to minus 15 degrees.",
      "Designed and tested in the Alps.",
    ],
    axes: [
      { ...SPORT_COLORS, pick: [1, 2] },
      { ...CLOTHING_SIZES, pick: [2, 4] },
    ],
  },
  {
    key: "SWM",
    count: 30,
    categories: ["Sports & Outdoor > Swimming & Water Sports > {_type.value}"],
    brands: "Baywake*1.1|Swiftline|Motiva*0.7|Riverbend*0.9",
    price: [15, 60],
    slots: {
      gender: GENDERS,
      _type: {
        by: "gender",
        of: {
          Men: "Swim Shorts=Swimwear|Swim Trunks*0.8=Swimwear|Wetsuit*3=Wetsuits|Rash Guard=Swimwear",
          Women: "Swimsuit*1.1=Swimwear|Bikini Set=Swimwear|Wetsuit*3=Wetsuits|Tankini=Swimwear",
          Kids: "Swim Shorts*0.8=Swimwear|Swimsuit*0.8=Swimwear|Wetsuit*2=Wetsuits|Rash Guard*0.8=Swimwear",
        },
      },
      _line: "Lagoon|Wave|Coral|Splash|Deep",
      feature: "Chlorine Resistant|UV 50+|Quick-Dry|Recycled",
    },
    titles: ["{brand} {_line} {gender} {_type}", "{brand} {gender} {feature} {_type} {_line}"],
    sentences: [
      "{_type} for pool, lake and sea, {feature.lower}.",
      "Keeps colour and shape.",
      "Comfortable fit without rubbing.",
      "Rinse with fresh water after use.",
    ],
    axes: [
      { ...SPORT_COLORS, pick: [1, 2] },
      { ...CLOTHING_SIZES, pick: [2, 4] },
    ],
  },
  {
    key: "BAL",
    count: 32,
    categories: ["Sports & Outdoor > Team & Racket Sports > {_type.value}"],
    brands: "Motiva*0.8|Swiftline|Champion Yard*1.1|Velocita*1.2",
    price: [12, 60],
    slots: {
      _type:
        "Football=Football|Football Goal*1.9=Football|Basketball=Basketball|Basketball Hoop*2=Basketball|Tennis Racket*1.8=Tennis & Badminton|Badminton Set=Tennis & Badminton|Table Tennis Bat*0.8=Table Tennis|Volleyball=Volleyball",
      level: "Beginner*0.8|Training|Match*1.4|Kids*0.7",
      _line: "Arena|Rookie|Pro Touch|Street|Classic",
    },
    titles: ["{brand} {_line} {level} {_type}"],
    sentences: [
      "A {level.lower} {_type.lower} for club, school and garden.",
      "Hard-wearing surface with good grip.",
      "Official size and weight.",
      "With carrying net or bag.",
    ],
    axes: [{ name: "color", choices: "White|Orange|Blue|Yellow", pick: [1, 2] }],
  },
  {
    key: "CMP",
    count: 34,
    categories: ["Sports & Outdoor > Camping > Camping Furniture & Kitchen"],
    brands: OUTDOOR,
    price: [15, 70],
    slots: {
      _type:
        "Camping Stove*1.1|Camping Chair|Folding Table*1.2|Cool Box*1.4|Camping Lantern*0.7|Headlamp*0.7|Mess Kit*0.7|Picnic Blanket*0.6",
      _line: "Basecamp|Lakeside|Ember|Trail|Picnic",
      feature: {
        by: "_type",
        of: {
          "Camping Stove": "2-Burner*1.4|Compact|Windproof*1.1",
          "Camping Chair": "Folding|Lightweight*1.3|High Back*1.2",
          "Folding Table": "Aluminium*1.2|Lightweight*1.2|Bamboo*1.3",
          "Cool Box": "Electric*1.8|24-Litre|40-Litre*1.3",
          "Camping Lantern": "Rechargeable*1.2|Solar*1.1|LED",
          Headlamp: "Rechargeable*1.3|Waterproof*1.1|LED",
          "Mess Kit": "Titanium*2|Stainless Steel|2-Person",
          "Picnic Blanket": "Waterproof*1.1|Extra Large*1.3|Wool*1.5",
        },
      },
    },
    titles: ["{brand} {_line} {feature} {_type}"],
    sentences: [
      "A {feature.lower} {_type.lower} for campsite, festival and garden.",
      "Packed and carried with one hand.",
      "Sturdy construction that survives many summers.",
      "Comes in a bag.",
    ],
    axes: [{ name: "color", choices: "Olive Green|Grey|Blue|Sand", pick: [1, 2] }],
  },
];
