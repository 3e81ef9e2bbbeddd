import { expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { frameSnippet, scriptSnippet } from "./widget-dialogs.tsx";

const widget = {
  uuid: "0b6f",
  appearance: { assistantName: 'A "good" <one>', buttonColor: "#262626" },
};

it("writes a script tag with the widget's attributes, escaped", () => {
  expect(scriptSnippet(widget, "https://carrel.example")).toBe(`<script
  data-embed-id="0b6f"
  data-base-api-url="https://carrel.example/api/embed"
  data-assistant-name="A &quot;good&quot; &lt;one&gt;"
  data-button-color="#262626"
  src="https://carrel.example/embed/carrel-widget.js"
></script>`);
});

it("writes a frame with a title", () => {
  expect(frameSnippet(widget, "https://carrel.example", "Help & more")).toContain(
    'src="https://carrel.example/embed/0b6f/chat" title="Help &amp; more"',
  );
});
