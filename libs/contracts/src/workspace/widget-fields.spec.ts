import { expect, it } from "@jest/globals";
import { changedWidgetFields, newWidgetFields } from "./widget-fields.ts";

it("a new widget has limits unless it is told otherwise, and a change adds none", () => {
  expect(newWidgetFields.parse({})).toEqual({
    max_chats_per_day: 1_000,
    max_chats_per_session: 50,
    max_chats_per_address: 200,
  });
  expect(newWidgetFields.parse({ max_chats_per_day: null, max_chats_per_address: "0" })).toEqual({
    max_chats_per_day: null,
    max_chats_per_session: 50,
    max_chats_per_address: null,
  });
  expect(newWidgetFields.parse({ max_chats_per_day: "50" }).max_chats_per_day).toBe(50);
  expect(changedWidgetFields.parse({})).toEqual({});
});
