import { makeDocx } from "../make-docx.ts";
import { makePdf } from "../make-pdf.ts";

type Content = string | Uint8Array<ArrayBuffer>;
const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** File name, content type, content, a question, and the fact that answers it. */
export const kinds: [string, string, Content, string, string][] = [
  [
    "notes.txt",
    "text/plain",
    "The spare key hangs behind the blue door.",
    "Where does the spare key hang?",
    "behind the blue door",
  ],
  [
    "guide.md",
    "text/markdown",
    "# Guide\n\n## Waste\n\nGlass is collected on the second Tuesday.\n",
    "When is glass collected?",
    "second Tuesday",
  ],
  [
    "page.html",
    "text/html",
    "<!doctype html><html><head><title>Ferry</title><script>var hidden = 1;</script></head><body><h1>Ferry</h1><p>The ferry to Lindholm leaves at 18:15.</p></body></html>",
    "When does the ferry to Lindholm leave?",
    "18:15",
  ],
  [
    "report.pdf",
    "application/pdf",
    makePdf([
      [{ text: "Report", size: 18, bold: true }, { text: "Nothing happened here." }],
      [
        { text: "Inspection", size: 18, bold: true },
        { text: "The crane was inspected by Johanna Reuter." },
      ],
    ]),
    "Who inspected the crane?",
    "Johanna Reuter",
  ],
  [
    "letter.docx",
    word,
    makeDocx(["Dear tenants,", "The roof terrace is closed from November until March."]),
    "When is the roof terrace closed?",
    "from November until March",
  ],
  [
    "prices.csv",
    "text/csv",
    "item,price\nwash,two tokens\nparking,nine euros\n",
    "What is the price of parking?",
    "nine euros",
  ],
  [
    "settings.json",
    "application/json",
    JSON.stringify({ heating: { boiler: "serviced every October by Nordwind" } }),
    "Who services the boiler of the heating?",
    "Nordwind",
  ],
];

/** File name, content type, content, and the harbour master it names; null if it can't be parsed. */
export const mistyped: [string, string, Content, string | null][] = [
  // The content decides, not the name.
  [
    "really-a-pdf.txt",
    "text/plain",
    makePdf([[{ text: "The harbour master is Ole Brandt." }]]),
    "Ole Brandt",
  ],
  ["really-text.pdf", "application/pdf", "The harbour master is Ole Brandt.", "Ole Brandt"],
  [
    "really-a-picture.txt",
    "text/plain",
    new Uint8Array([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52,
    ]),
    null,
  ],
  [
    "really-a-program.md",
    "text/markdown",
    Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), Buffer.alloc(200)]),
    null,
  ],
  ["really-text.docx", word, "The harbour master is Ole Brandt.", "Ole Brandt"],
  [
    "really-a-pdf.docx",
    word,
    makePdf([[{ text: "The harbour master is Ole Brandt." }]]),
    "Ole Brandt",
  ],
];
