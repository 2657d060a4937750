/** Electronics. */
import type { Family } from "../family.ts";
import { DEVICE_COLORS } from "../shared.ts";

const AUDIO = "Auralis*1.4|Nordwave|Kaskade*0.8|Sonbird*1.1|Veltro*1.2|Basso*0.6";
const SCREENS = "Veltro|Lumivue*1.3|Kaskade*0.8|Orbita*1.1|Solenne*1.5";
const COMPUTERS = "Zentiq*1.2|Veltro|Quantis*1.4|Orbita*0.9|Halden*1.1";
const PARTS = "Quantis*1.2|Halden|Zentiq*1.1|Plugwell*0.7|Orbita*0.9";

export const ELECTRONICS: readonly Family[] = [
  {
    key: "HPH",
    count: 44,
    categories: ["Electronics > Audio > Headphones"],
    brands: AUDIO,
    price: [40, 160],
    slots: {
      _line: "Studio 2|Aria|Pulse|Drift|Echo 500|Monitor X|Calm 3",
      design: "Over-Ear|On-Ear*0.8",
      feature: "Noise Cancelling*1.5|Wireless|Hi-Res*1.3|Foldable|Gaming*1.1",
      "battery-life": "20 Hours=20|30 Hours*1.1=30|40 Hours*1.15=40|60 Hours*1.3=60",
    },
    titles: [
      "{brand} {_line} {feature} {design} Headphones",
      "{brand} {_line} Bluetooth {design} Headphones, {feature}, {battery-life}",
    ],
    sentences: [
      "{design} Bluetooth headphones that play for up to {battery-life.lower} on one charge.",
      "Soft memory foam cushions stay comfortable on long flights.",
      "Two microphones keep calls clear in the street.",
      "Switch between phone and laptop without pairing again.",
      "Comes with USB-C cable, audio cable and travel case.",
    ],
    axes: [DEVICE_COLORS],
  },
  {
    key: "EAR",
    count: 36,
    categories: ["Electronics > Audio > Earbuds"],
    brands: AUDIO,
    price: [25, 110],
    slots: {
      _line: "Buds|Buds Pro*1.4|Air Mini|Sport Fit|Pebble|Tune 3",
      feature: "Noise Cancelling*1.4|True Wireless|Waterproof|Open-Ear*1.2|Low Latency",
      "battery-life": "24 Hours=24|32 Hours=32|40 Hours*1.1=40",
      "water-protection": "IPX4|IPX5|IPX7*1.1",
    },
    titles: [
      "{brand} {_line} {feature} Earbuds",
      "{brand} {_line} Wireless Earbuds, {feature}, {water-protection}",
    ],
    sentences: [
      "{feature} in-ear headphones with {battery-life.lower} of music including the charging case.",
      "Protected against sweat and rain ({water-protection}).",
      "Four sizes of silicone tips for a secure fit.",
      "Touch control for music, calls and voice assistant.",
    ],
    axes: [DEVICE_COLORS],
  },
  {
    key: "SPK",
    count: 36,
    categories: ["Electronics > Audio > Speakers"],
    brands: AUDIO,
    price: [30, 180],
    slots: {
      _type:
        "Portable Bluetooth Speaker*0.6|Party Speaker*1.4|Bookshelf Speakers*1.3|Soundbar*1.5|Smart Speaker*0.7",
      _line: "Boom|Roam|Stage|Cube|Horizon|One",
      power: "20 W=20|40 W*1.2=40|60 W*1.4=60|120 W*1.8=120|300 W*2.4=300",
      feature: "Waterproof|with Subwoofer*1.2|with Radio|Multiroom*1.2|Stereo",
    },
    titles: ["{brand} {_line} {_type} {power}", "{brand} {_line} {_type}, {feature}"],
    sentences: [
      "A {_type.lower} with {power} of power and surprisingly deep bass.",
      "Pair two for real stereo sound.",
      "Streams over Bluetooth 5.3 and Wi-Fi.",
      "The fabric cover is splash proof and easy to clean.",
    ],
    axes: [{ ...DEVICE_COLORS, pick: [1, 2] }],
  },
  {
    key: "TVS",
    count: 48,
    categories: ["Electronics > TV & Home Cinema > TVs"],
    alsoIn: [{ share: 0.3, path: "Electronics > TV & Home Cinema > {panel} TVs" }],
    brands: SCREENS,
    price: [220, 420],
    slots: {
      "screen-size":
        "32-Inch*0.6=32|43-Inch=43|50-Inch*1.2=50|55-Inch*1.5=55|65-Inch*2.1=65|75-Inch*2.9=75|85-Inch*4=85",
      panel: "OLED*1.9|QLED*1.3|LED|Mini LED*1.5",
      resolution: "4K|8K*2.2|Full HD*0.8",
      _series: "A7|C3|Q60|V9|M20|Frame",
      "refresh-rate": "60 Hz=60|100 Hz*1.1=100|120 Hz*1.15=120|144 Hz*1.25=144",
    },
    titles: [
      "{brand} {_series} {screen-size} {resolution} {panel} Smart TV",
      "{brand} {screen-size} {panel} TV {_series}, {resolution}, {refresh-rate}",
    ],
    sentences: [
      "A {screen-size.lower} smart TV with a {panel} screen in {resolution}.",
      "Smooth motion at {refresh-rate} for sport and games.",
      "All major streaming apps, voice remote included.",
      "Four HDMI inputs, one with eARC for a soundbar.",
      "Wall mount according to VESA standard.",
    ],
    axes: [],
  },
  {
    key: "LAP",
    count: 48,
    categories: ["Electronics > Computers > Laptops"],
    alsoIn: [{ share: 0.3, path: "Electronics > Gaming > Gaming Laptops" }],
    brands: COMPUTERS,
    price: [380, 800],
    slots: {
      _line: "Notebook Air|ProBook|Studio|Student|Creator*1.3|Flex 2-in-1*1.1",
      "screen-size": "13.3-Inch=13.3|14-Inch=14|15.6-Inch=15.6|16-Inch*1.1=16|17.3-Inch*1.15=17.3",
      processor: "4-Core*0.8|6-Core|8-Core*1.3|12-Core*1.7",
      memory: "8 GB RAM*0.85=8|16 GB RAM=16|32 GB RAM*1.3=32|64 GB RAM*1.8=64",
      "operating-system": "Windows 11|Linux*0.9|Chrome OS*0.7",
    },
    titles: [
      "{brand} {_line} {screen-size} Laptop, {processor}, {memory}",
      "{brand} {_line} {screen-size} {operating-system} Laptop with {memory}",
    ],
    sentences: [
      "A light {screen-size.lower} laptop with {memory} and a {processor.lower} processor.",
      "The matt display is easy on the eyes, indoors and outdoors.",
      "Backlit keyboard, fingerprint reader and full HD webcam.",
      "Up to 12 hours of battery life, charges over USB-C.",
      "Delivered with {operating-system}.",
    ],
    axes: [
      {
        name: "storage",
        choices: "256 GB SSD*0.9|512 GB SSD|1 TB SSD*1.15|2 TB SSD*1.35",
        pick: [1, 3],
        run: true,
      },
    ],
  },
  {
    key: "PHO",
    count: 44,
    categories: ["Electronics > Phones & Tablets > Smartphones"],
    brands: "Veltro|Solenne*1.5|Orbita*0.7|Nordwave*0.9|Pixelio*1.2",
    price: [180, 520],
    slots: {
      _line: "Nova 12|Nova 12 Pro*1.4|One 5|Lite*0.6|Edge|Mini*0.9|Max*1.5|Rugged X*1.1",
      "screen-size": "6.1-Inch=6.1|6.5-Inch=6.5|6.7-Inch*1.1=6.7",
      network: "5G*1.1|4G*0.8",
      camera: "50 MP=50|64 MP*1.05=64|108 MP*1.15=108",
      feature: "Dual SIM|Wireless Charging*1.1|Waterproof*1.1",
    },
    titles: [
      "{brand} {_line} {network} Smartphone",
      "{brand} {_line} {screen-size} {network} Smartphone, {camera} Camera",
      "{brand} {_line} {network} Mobile Phone, {feature}",
    ],
    sentences: [
      "A {network} smartphone with a {screen-size.lower} display and {camera} camera.",
      "The battery lasts well over a day and charges in an hour.",
      "Four years of security updates.",
      "{feature}, fingerprint sensor and stereo speakers.",
      "Charger sold separately.",
    ],
    axes: [
      { ...DEVICE_COLORS, pick: [2, 4] },
      {
        name: "storage",
        choices: "64 GB*0.9|128 GB|256 GB*1.12|512 GB*1.3",
        pick: [1, 3],
        run: true,
      },
    ],
  },
  {
    key: "TAB",
    count: 30,
    categories: ["Electronics > Phones & Tablets > Tablets & E-Readers"],
    brands: "Veltro|Solenne*1.4|Orbita*0.7|Pixelio*1.1|Folio*0.8",
    price: [120, 380],
    slots: {
      _type: "Tablet|Kids Tablet*0.6|E-Reader*0.6|Drawing Tablet*0.9",
      "screen-size":
        "7-Inch*0.7=7|8.4-Inch*0.8=8.4|10.1-Inch=10.1|11-Inch*1.2=11|12.9-Inch*1.6=12.9",
      _line: "Tab|Pad 6|Slate|Canvas",
      connectivity: "Wi-Fi|Wi-Fi + LTE*1.2",
    },
    titles: ["{brand} {_line} {screen-size} {_type}, {connectivity}"],
    sentences: [
      "A {screen-size.lower} {_type.lower} for reading, drawing and films on the sofa.",
      "{connectivity}, two cameras and USB-C.",
      "The screen adapts its brightness to the light in the room.",
      "Parental controls with time limits.",
    ],
    axes: [
      { ...DEVICE_COLORS, pick: [1, 2] },
      {
        name: "storage",
        choices: "32 GB*0.85|64 GB|128 GB*1.15|256 GB*1.35",
        pick: [1, 3],
        run: true,
      },
    ],
  },
  {
    key: "CAS",
    count: 40,
    categories: ["Electronics > Phones & Tablets > Phone Accessories"],
    brands: "Plugwell*0.8|Shelter*1.2|Pixelio|Kaskade*0.9",
    price: [8, 30],
    slots: {
      _type:
        "Phone Case|Leather Wallet Case*1.4|Screen Protector*0.7|Clear Case*0.7|Car Mount|Wireless Charger*1.4",
      "compatible-with":
        "Veltro Nova 12|Solenne One 5|Orbita Lite|Pixelio Edge|Nordwave Max|Veltro Nova 12 Pro",
      feature: {
        by: "_type",
        of: {
          "Phone Case": "Shockproof|Slim|Magnetic*1.1|Silicone",
          "Leather Wallet Case": "Slim|Magnetic*1.1|Handmade*1.3",
          "Screen Protector": "Tempered Glass|Privacy*1.3|Anti-Glare",
          "Clear Case": "Shockproof|Slim|Magnetic*1.1",
          "Car Mount": "Magnetic|Foldable|Extra Strong",
          "Wireless Charger": "Fast|Foldable*1.1|Magnetic*1.2",
        },
      },
    },
    titles: ["{brand} {feature} {_type} for {compatible-with}"],
    sentences: [
      "A {feature.lower} {_type.lower}, made to fit the {compatible-with}.",
      "All buttons and ports stay within reach.",
      "Attached and removed in seconds.",
      "Does not leave scratches.",
    ],
    axes: [{ name: "color", choices: "Black|Clear|Blue|Pink|Green|Lilac", pick: [1, 4] }],
  },
  {
    key: "WAT",
    count: 36,
    categories: ["Electronics > Wearables > {_type.value}"],
    alsoIn: [{ share: 0.35, path: "Sports & Outdoor > Fitness > Fitness Electronics" }],
    brands: "Nordwave|Pulsar*1.2|Solenne*1.5|Orbita*0.7|Veltro",
    price: [60, 220],
    slots: {
      _type:
        "Smartwatch=Smartwatches|GPS Running Watch*1.3=Sports Watches|Fitness Tracker*0.5=Fitness Trackers|Kids Smartwatch*0.5=Smartwatches",
      _line: "Active 2|Pace|Vital|Classic|Trail|Band 7",
      "battery-life": "2 Days=2|7 Days*1.05=7|14 Days*1.15=14|21 Days*1.25=21",
      feature: "with Heart Rate Monitor|with GPS*1.1|with ECG*1.2|Waterproof|with Sleep Tracking",
    },
    titles: [
      "{brand} {_line} {_type} {feature}",
      "{brand} {_line} {_type}, {battery-life} Battery",
    ],
    sentences: [
      "A {_type.lower} {feature.lower} that runs {battery-life.lower} on one charge.",
      "Counts steps, floors and calories and records over 80 kinds of sport.",
      "Shows calls and messages of your phone.",
      "Water resistant to 50 metres.",
      "Straps can be changed without tools.",
    ],
    axes: [DEVICE_COLORS],
  },
  {
    key: "MON",
    count: 34,
    categories: ["Electronics > Computers > Monitors"],
    brands: SCREENS,
    price: [110, 300],
    slots: {
      "screen-size": "24-Inch*0.8=24|27-Inch=27|32-Inch*1.4=32|34-Inch*1.7=34|49-Inch*3=49",
      resolution: "Full HD*0.8|QHD|4K*1.4|UltraWide*1.5",
      "refresh-rate": "60 Hz=60|75 Hz=75|144 Hz*1.2=144|240 Hz*1.6=240",
      _use: "Office|Gaming*1.1|Curved*1.1|Design*1.3|USB-C*1.1",
    },
    titles: [
      "{brand} {screen-size} {resolution} {_use} Monitor",
      "{brand} {_use} Monitor {screen-size}, {resolution}, {refresh-rate}",
    ],
    sentences: [
      "A {screen-size.lower} monitor with {resolution} resolution and {refresh-rate}.",
      "Height, tilt and rotation can be adjusted.",
      "Flicker free, with a blue light filter.",
      "HDMI, DisplayPort and a USB hub.",
    ],
    axes: [],
  },
  {
    key: "KEY",
    count: 40,
    categories: ["Electronics > Computers > Keyboards & Mice"],
    alsoIn: [{ share: 0.2, path: "Electronics > Gaming > Gaming Accessories" }],
    brands: PARTS,
    price: [18, 80],
    slots: {
      _type:
        "Mechanical Keyboard*1.6|Wireless Keyboard|Compact Keyboard*0.9|Gaming Mouse*0.9|Ergonomic Mouse*0.8|Vertical Mouse*0.8|Keyboard and Mouse Set*1.1",
      connection: "Bluetooth*1.1|USB-C|2.4 GHz Wireless|Wired*0.8",
      layout: "UK Layout|US Layout|Nordic Layout",
      feature: "with Backlight*1.1|Quiet|Rechargeable*1.1|RGB*1.15",
    },
    titles: [
      "{brand} {_type} {feature}, {connection}",
      "{brand} {feature} {_type}, {connection}, {layout}",
    ],
    sentences: [
      "A {_type.lower} for long days at the desk, connected by {connection}.",
      "Works with Windows, macOS and Linux.",
      "Rubber feet keep it in place.",
      "Keys rated for 50 million strokes.",
    ],
    axes: [{ ...DEVICE_COLORS, pick: [1, 2] }],
  },
  {
    key: "SSD",
    count: 36,
    categories: ["Electronics > Computers > Storage"],
    brands: PARTS,
    price: [20, 60],
    slots: {
      _type:
        "Portable SSD*1.3|Internal NVMe SSD*1.2|External Hard Drive|USB Stick*0.4|microSD Card*0.4|NAS Hard Drive*1.4",
      _line: "Swift|Vault|Bolt|Core|Archive",
      capacity:
        "128 GB*0.6=128|256 GB*0.8=256|512 GB=512|1 TB*1.6=1000|2 TB*2.6=2000|4 TB*4.4=4000",
      interface: "USB 3.2|USB-C|SATA*0.9|PCIe 4.0*1.2",
    },
    titles: [
      "{brand} {_line} {_type} {capacity}",
      "{brand} {capacity} {_type} {_line}, {interface}",
    ],
    sentences: [
      "{capacity} of storage for photos, films and backups.",
      "Reads up to 1,050 MB per second.",
      "Shock resistant housing in the size of a credit card.",
      "With hardware encryption.",
      "Five-year warranty.",
    ],
    axes: [],
  },
  {
    key: "CAM",
    count: 32,
    categories: ["Electronics > Cameras > {_type.value}"],
    brands: "Pixelio*1.2|Lumivue|Halden*0.9|Obscura*1.5",
    price: [160, 600],
    slots: {
      _type:
        "Mirrorless Camera*1.6=Mirrorless Cameras|Compact Camera*0.7=Compact Cameras|Action Camera*0.5=Action Cameras|Instant Camera*0.3=Instant Cameras|Camera Drone*1.1=Drones",
      resolution: "12 MP*0.8=12|24 MP=24|33 MP*1.3=33|45 MP*1.7=45",
      _line: "X20|D5|Go 4K|Vista|Snap",
      kit: "Body Only*0.8|with Zoom Lens*1.2|with Case|Creator Kit*1.2",
    },
    titles: [
      "{brand} {_line} {_type}, {resolution}",
      "{brand} {_line} {resolution} {_type}, {kit}",
    ],
    sentences: [
      "A {resolution} {_type.lower} that makes sharp pictures even at dusk.",
      "Records 4K video and stabilises shaky hands.",
      "Sends pictures to the phone over Wi-Fi.",
      "Fold-out touchscreen.",
    ],
    axes: [{ ...DEVICE_COLORS, pick: [1, 2] }],
  },
  {
    key: "ROU",
    count: 26,
    categories: ["Electronics > Smart Home & Networking > {_type.value}"],
    brands: PARTS,
    price: [25, 120],
    slots: {
      _type:
        "Wi-Fi Router=Routers|Mesh Wi-Fi System*1.6=Routers|Wi-Fi Repeater*0.6=Routers|Smart Plug*0.3=Smart Plugs & Lights|Smart LED Bulb*0.3=Smart Plugs & Lights|Security Camera*0.9=Security Cameras|Video Doorbell*1.1=Security Cameras",
      standard: {
        by: "_type",
        of: {
          Routers: "Wi-Fi 5*0.8|Wi-Fi 6|Wi-Fi 6E*1.3|Wi-Fi 7*1.8",
          "Smart Plugs & Lights": "Wi-Fi|Matter*1.2|Zigbee",
          "Security Cameras": "2K|4K*1.4|Full HD*0.8",
        },
      },
      "pack-size": "1 Piece=1|2-Pack*1.7=2|3-Pack*2.3=3",
    },
    titles: ["{brand} {_type}, {standard}, {pack-size}"],
    sentences: [
      "A {_type.lower} that is set up in minutes with the app.",
      "Supports {standard} and older devices.",
      "Works with the common voice assistants.",
      "Updates itself at night.",
    ],
    axes: [],
  },
  {
    key: "CBL",
    count: 40,
    categories: ["Electronics > Cables & Power > {_type.value}"],
    brands: "Plugwell|Kaskade*1.2|Halden*1.1|Basso*0.8",
    price: [6, 25],
    slots: {
      _type:
        "USB-C Charging Cable=Cables|HDMI Cable=Cables|Network Cable Cat 6=Cables|DisplayPort Cable*1.2=Cables|USB-C Fast Charger*1.6=Chargers|Travel Adapter*1.3=Chargers|Extension Lead*1.2=Power Strips|Power Strip with Surge Protection*1.5=Power Strips",
      length: "0.5 m*0.8=0.5|1 m=1|2 m*1.2=2|3 m*1.4=3|5 m*1.8=5",
      feature: "Braided|Flat|Extra Strong|Angled|Halogen Free",
    },
    titles: ["{brand} {_type} {length}", "{brand} {_type}, {feature}, {length}"],
    sentences: [
      "A {_type.lower} of {length} length, {feature.lower} and made to last.",
      "Gold-plated contacts.",
      "Bends more than 10,000 times without breaking.",
      "Comes with a cable tie.",
    ],
    axes: [{ name: "color", choices: "Black|White|Grey", pick: [1, 2] }],
  },
  {
    key: "PRN",
    count: 26,
    categories: ["Electronics > Computers > Printers & Scanners"],
    brands: "Halden|Inkwell*0.9|Zentiq*1.2|Orbita*0.8",
    price: [60, 220],
    slots: {
      _type:
        "Inkjet Printer*0.7|Laser Printer|All-in-One Printer|Photo Printer*0.9|Document Scanner*1.2|Label Printer*0.6",
      _model: "200|350 W|410|520 DW|X600",
      feature: "with Wi-Fi|with Touchscreen*1.1|with Display*1.1|Compact|for Home Office",
    },
    titles: ["{brand} {_model} {_type} {feature}"],
    sentences: [
      "A {_type.lower} {feature.lower} for home and small offices.",
      "Works with phone and tablet without a driver.",
      "Up to 22 pages a minute.",
      "Set up in five minutes.",
    ],
    axes: [],
  },
];
