/** Variant axes that many families share. */
import type { Axis } from "./family.ts";

const axis = (name: string, choices: Axis["choices"], from: number, to: number, run = false): Axis => ({
  name,
  choices,
  pick: [from, to],
  run,
});

export const APPAREL_COLORS = axis(
  "color",
  "Black|White|Navy Blue|Grey|Charcoal|Olive Green|Burgundy|Red|Sky Blue|Dusty Pink|Mustard Yellow|Sand|Forest Green|Chocolate Brown",
  1,
  3,
);
export const SHOE_COLORS = axis("color", "Black|White|Brown|Tan|Grey|Navy Blue|Red|Beige", 1, 2);
export const SPORT_COLORS = axis(
  "color",
  "Black|Royal Blue|Neon Yellow|Orange|Red|Teal|Grey|Violet|White|Lime Green",
  1,
  3,
);
export const DEVICE_COLORS = axis("color", "Black|White|Silver|Space Grey|Midnight Blue|Rose Gold", 1, 3);
export const HOME_COLORS = axis(
  "color",
  "White|Ivory|Light Grey|Anthracite|Sage Green|Terracotta|Navy Blue|Blush Pink|Ochre",
  1,
  3,
);
export const KITCHEN_COLORS = axis("color", "Black|Red|Cream|Stainless Steel|Mint Green|Copper", 1, 3);

/** Clothing sizes by the value of the slot `gender`. */
export const CLOTHING_SIZES = axis(
  "size",
  { by: "gender", of: { Men: "S|M|L|XL|XXL", Women: "XS|S|M|L|XL", Kids: "4Y|6Y|8Y|10Y|12Y" } },
  3,
  5,
  true,
);
export const SHOE_SIZES = axis(
  "size",
  {
    by: "gender",
    of: {
      Men: "7|7.5|8|8.5|9|9.5|10|10.5|11|12",
      Women: "4|4.5|5|5.5|6|6.5|7|7.5|8",
      Kids: "10|11|12|13|1|2|3",
    },
  },
  3,
  6,
  true,
);
export const BED_SIZES = axis("size", "Single|Double*1.3|King*1.5|Super King*1.7", 2, 4, true);

export const GENDERS = "Men's=Men|Women's=Women|Kids'*0.7=Kids";
export const ADULTS = "Men's=Men|Women's=Women";
