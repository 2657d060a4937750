// npm run test:browser
//
// The pages in a real browser, against a real Worker with storage of its own:
// 1. an empty service offers the sample; loading it leads to products;
// 2. suggestions by keyboard: arrows mark, Escape closes, Enter searches;
// 3. facets: two values of one, chips, counts; focus stays where it was; values of large facets are found;
// 4. pages, and back: the address holds everything;
// 5. why: the explanation of a hit, its document; curl and JSON of the request;
// 6. comparison of two tenants, and of two sets of parameters; product sets in slices;
// 7. a file that is dropped becomes an index; a broken one says where it is broken;
// 8. the reference page: an operation that reads, an import from start to done, an error, and all of it without script;
// 9. a deployment with users: a form asks for them, they are kept for the tab only and are in no address or command;
// 10. on a phone nothing is wider than the screen;
// 11. choices while an answer is under way: none is lost, and nothing of an older answer stands beside a failure;
// 12. what the service refuses can be put right in the page; a refused right side leaves the left alone;
// 13. an answer that comes after the sign-out is not shown;
// 14. what is being typed stays, whatever comes meanwhile;
// 15. long branches of categories, the focus, folds, the skip link, clicks beside a dialog;
// 16. the shop: suggestions and products while typing, marks, facets of every kind, chips, sort, pages, and back;
// 17. the shop sends one search a page, and events to its sink;
// 18. the shop on a phone: filters as a sheet; without an index it says so;
// 19. axe-core finds nothing in any state of any page, at three sizes, light and dark;
// 20. React InstantSearch: the widgets, one search a page, events;
// 21. on a phone's network and processor every page paints soon;
// 22. widgets of InstantSearch.js that the shop does not have, with the browser's history, and their events;
// 23. its autocomplete widget;
// 24. search while somebody types, with answers in the wrong order;
// and nowhere an error of the console, a violation of the policy, or a request to elsewhere.
import { after, before } from "node:test";
import { accessibilityTests } from "./accessibility.ts";
import { autocompleteTests } from "./autocomplete.ts";
import { findChromium } from "./chromium.ts";
import { interplayTests } from "./interplay.ts";
import { paintTests } from "./paint.ts";
import { playgroundTests } from "./playground.ts";
import { reactTests } from "./react.ts";
import { referenceTests } from "./reference.ts";
import { shopTests } from "./shop.ts";
import { Stage } from "./stage.ts";
import { typingTests } from "./typing.ts";
import { userTests } from "./users.ts";
import { widgetTests } from "./widgets.ts";

const chromium = findChromium();
if (chromium === null) {
  console.log("test:browser: skipped, there is no Chromium here. CHROMIUM=<path> names one.");
} else {
  const stage = new Stage(chromium);
  before(() => stage.open());
  after(() => stage.close());
  playgroundTests(stage);
  interplayTests(stage);
  referenceTests(stage);
  shopTests(stage);
  paintTests(stage);
  reactTests(stage);
  widgetTests(stage);
  autocompleteTests(stage);
  typingTests(stage);
  accessibilityTests(stage);
  userTests(stage);
}
