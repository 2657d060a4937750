/** Farben und Größen, die viele Familien des deutschen Katalogs gemeinsam haben. */
import type { Axis } from "../family.ts";

export const KLEIDERFARBEN: Axis = {
  name: "color",
  choices: "Schwarz|Weiß|Dunkelblau|Grau|Anthrazit|Olivgrün|Weinrot|Himmelblau|Altrosa|Senfgelb|Sand",
  pick: [1, 3],
};
export const GERAETEFARBEN: Axis = {
  name: "color",
  choices: "Schwarz|Weiß|Silber|Rot|Creme|Mintgrün|Mitternachtsblau",
  pick: [1, 3],
};
export const WOHNFARBEN: Axis = {
  name: "color",
  choices: "Weiß|Elfenbein|Hellgrau|Anthrazit|Salbeigrün|Terrakotta|Nachtblau|Ocker",
  pick: [1, 3],
};
export const SPORTFARBEN: Axis = {
  name: "color",
  choices: "Schwarz|Königsblau|Neongelb|Orange|Rot|Petrol|Grau|Violett",
  pick: [1, 3],
};
export const KLEIDERGROESSEN: Axis = {
  name: "size",
  choices: {
    by: "geschlecht",
    of: { Herren: "S|M|L|XL|XXL", Damen: "36|38|40|42|44|46", Kinder: "110|116|122|128|140" },
  },
  pick: [3, 5],
  run: true,
};
export const SCHUHGROESSEN: Axis = {
  name: "size",
  choices: {
    by: "geschlecht",
    of: { Herren: "40|41|42|43|44|45|46", Damen: "36|37|38|39|40|41", Kinder: "28|29|30|31|32|33" },
  },
  pick: [3, 6],
  run: true,
};
export const BETTGROESSEN: Axis = {
  name: "size",
  choices: "90 x 200 cm|135 x 200 cm*1.2|155 x 220 cm*1.3|200 x 200 cm*1.5",
  pick: [2, 4],
  run: true,
};
export const GESCHLECHTER = "Herren|Damen|Kinder*0.7";
export const ERWACHSENE = "Herren|Damen";
