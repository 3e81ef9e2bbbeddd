import { render } from "preact";
import { Popup } from "./popup.tsx";
import "./popup.css";

document.documentElement.lang = chrome.i18n.getUILanguage();
document.documentElement.dir = chrome.i18n.getMessage("@@bidi_dir");
render(<Popup />, document.body);
