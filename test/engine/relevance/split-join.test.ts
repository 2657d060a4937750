/** Words written apart that the shop writes as one, and the reverse, in every language. */
import { testTable } from "./language-shops.ts";

testTable({
  cs: "tv: tele vizor; cable: usbc kabel; head: bez drátová sluchátka",
  da: "head: hoved telefoner; cable: usbc kabel",
  de: "head: kabel lose kopfhörer; cable: usbc kabel",
  en: "head: head phones; shelf: book shelf; lamp: desklamp; cable: usbc cable",
  es: "head: auri culares; cable: usbc cable",
  fr: "tv: télé viseur; head: casqueaudio; cable: usbc cable",
  it: "towel: asciuga mano; cable: usbc cavo; head: senzafili",
  nl: "shoe: hard loopschoenen; cable: usbc kabel",
  pl: "head: bez przewodowe słuchawki; cable: usbc kabel",
  pt: "towel: guarda napo; cable: usbc cabo; head: semfios",
  sv: "towel: hand duk; cable: usbc kabel",
});
