/** Words written apart that the shop writes as one, and the reverse, in every language. */
import { testTable } from "./language-shops.ts";

const STEP = "SplitJoin";

testTable({
  cs: [
    ["tele vizor", STEP, "tv"],
    ["usbc kabel", STEP, "cable"],
    ["bez drátová sluchátka", STEP, "head"],
  ],
  da: [
    ["hoved telefoner", STEP, "head"],
    ["usbc kabel", STEP, "cable"],
  ],
  de: [
    ["kabel lose kopfhörer", STEP, "head"],
    ["usbc kabel", STEP, "cable"],
  ],
  en: [
    ["head phones", STEP, "head"],
    ["book shelf", STEP, "shelf"],
    ["desklamp", STEP, "lamp"],
    ["usbc cable", STEP, "cable"],
  ],
  es: [
    ["auri culares", STEP, "head"],
    ["usbc cable", STEP, "cable"],
  ],
  fr: [
    ["télé viseur", STEP, "tv"],
    ["casqueaudio", STEP, "head"],
    ["usbc cable", STEP, "cable"],
  ],
  it: [
    ["asciuga mano", STEP, "towel"],
    ["usbc cavo", STEP, "cable"],
    ["senzafili", STEP, "head"],
  ],
  nl: [
    ["hard loopschoenen", STEP, "shoe"],
    ["usbc kabel", STEP, "cable"],
  ],
  pl: [
    ["bez przewodowe słuchawki", STEP, "head"],
    ["usbc kabel", STEP, "cable"],
  ],
  pt: [
    ["guarda napo", STEP, "towel"],
    ["usbc cabo", STEP, "cable"],
    ["semfios", STEP, "head"],
  ],
  sv: [
    ["hand duk", STEP, "towel"],
    ["usbc kabel", STEP, "cable"],
  ],
});
