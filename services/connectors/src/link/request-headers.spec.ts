import { expect, it } from "@jest/globals";
import { chooseHeaders } from "./request-headers.ts";

it("keeps only valid headers that callers may set", () => {
  expect(
    chooseHeaders({
      Authorization: "Bearer x",
      "X-A": "1",
      Host: "evil",
      "content-length": "9",
      "Proxy-Authorization": "y",
      "bad name": "z",
      "X-B": "a\r\nX-C: d",
      "Sec-Fetch-Site": "none",
    }),
  ).toEqual({ authorization: "Bearer x", "x-a": "1" });
});
