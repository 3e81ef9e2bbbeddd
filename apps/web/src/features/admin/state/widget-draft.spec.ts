import { expect, it } from "@jest/globals";
import type { Widget } from "../api/widgets.ts";
import { countChanges, countFaults, draftFaults, draftOf, fieldsOf } from "./widget-draft.ts";

const widget = {
  id: 3,
  name: null,
  workspace_id: 1,
  chat_mode: "query",
  allowlist_domains: '["https://a.example","https://b.example:8443"]',
  allow_any_origin: false,
  max_chats_per_day: 500,
  max_chats_per_session: null,
  max_chats_per_visitor: null,
  max_chats_per_address: null,
  max_message_length: 4000,
  message_limit: 20,
  limit_messages: { day: "Come back tomorrow." },
  show_sources: false,
  only_signed_visitors: false,
  page_enabled: true,
  allow_prompt_override: false,
  allow_model_override: false,
  allow_temperature_override: true,
  greeting: null,
  suggested_messages: ["Hours?"],
  appearance: { textSize: "14", theme: "dark" },
} as unknown as Widget;

it("saves an unchanged draft as it was, with attributes that the form doesn't show", () => {
  const draft = draftOf(widget);
  expect(countChanges(draft, draftOf(widget))).toBe(0);
  expect(countFaults(draftFaults(draft))).toBe(0);
  expect(fieldsOf(draft, widget)).toMatchObject({
    workspace_id: 1,
    allowlist_domains: ["https://a.example", "https://b.example:8443"],
    allow_any_origin: false,
    max_chats_per_day: 500,
    max_chats_per_session: null,
    limit_messages: { day: "Come back tomorrow." },
    allow_temperature_override: true,
    suggested_messages: ["Hours?"],
    appearance: { textSize: "14", theme: "dark" },
  });
});

it("sends no sites if any may use the widget", () => {
  expect(fieldsOf({ ...draftOf(widget), access: "any" }, widget)).toMatchObject({
    allowlist_domains: [],
    allow_any_origin: true,
  });
});

it("finds what must be corrected", () => {
  const draft = {
    ...draftOf(widget),
    sites: "https://*.example.com\nexample.org/path, ftp://x",
    suggested: "x\n".repeat(11),
    limits: { day: "0", session: " 5 ", visitor: "many", address: "" },
    messageLength: "32001",
    history: "",
  };
  expect(draftFaults(draft)).toEqual({
    workspace: false,
    sites: ["https://*.example.com", "ftp://x"],
    suggested: true,
    limits: ["day", "visitor"],
    messageLength: true,
    history: true,
  });
});
