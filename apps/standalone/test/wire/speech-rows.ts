import { json, row, type Row } from "./wire-row.ts";

/** As browsers record it. */
function recording(): FormData {
  const form = new FormData();
  form.set("audio", new Blob(["a recording"], { type: "audio/webm;codecs=opus" }), "speech.webm");
  return form;
}

export const speechRows: Row[] = [
  // Browsers read aloud.
  row("gateway.turn.speak", ["GET", "/workspace/w/tts/9"], 204, null, { body: "" }),
  row(
    "gateway.dictation.transcribe",
    ["POST", "/system/transcribe-audio", recording()],
    200,
    json,
    { body: { success: true, text: "Meet me at noon." } },
  ),
];
