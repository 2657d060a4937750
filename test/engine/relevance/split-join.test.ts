/** Words written apart that the shop writes as one, and the reverse, in every language. */
import { testTable } from "./language-shops.ts";

testTable({
  cs: [
    ["tele vizor", "tv"],
    ["usbc kabel", "cable"],
    ["bez drátová sluchátka", "head"],
  ],
  da: [
    ["hoved telefoner", "head"],
    ["usbc kabel", "cable"],
  ],
  de: [
    ["kabel lose kopfhörer", "head"],
    ["usbc kabel", "cable"],
  ],
  en: [
    ["head phones", "head"],
    ["book shelf", "shelf"],
    ["desklamp", "lamp"],
    ["usbc cable", "cable"],
  ],
  es: [
    ["auri culares", "head"],
    ["usbc cable", "cable"],
  ],
  fr: [
    ["télé viseur", "tv"],
    ["casqueaudio", "head"],
    ["usbc cable", "cable"],
  ],
  it: [
    ["asciuga mano", "towel"],
    ["usbc cavo", "cable"],
    ["senzafili", "head"],
  ],
  nl: [
    ["hard loopschoenen", "shoe"],
    ["usbc kabel", "cable"],
  ],
  pl: [
    ["bez przewodowe słuchawki", "head"],
    ["usbc kabel", "cable"],
  ],
  pt: [
    ["guarda napo", "towel"],
    ["usbc cabo", "cable"],
    ["semfios", "head"],
  ],
  sv: [
    ["hand duk", "towel"],
    ["usbc kabel", "cable"],
  ],
});
