import { render } from "preact";
import { word } from "../carrel/failure.ts";
import { Popup } from "./popup.tsx";
import "./popup.css";

// The browser's own language may be one that Carrel lacks.
document.documentElement.lang = word("language");
document.documentElement.dir = chrome.i18n.getMessage("@@bidi_dir");
render(<Popup />, document.body);
