import { json, row, type Row } from "./wire-row.ts";

const missing = "https://a.example/missing";
const refused = {
  body: { success: false, data: null, reason: "a.example doesn't have this item." },
};

/** Imports of wikis by existing clients; connection-rows.ts answers them. */
export const wikiRows: Row[] = [
  // wire-contract 6.7: "data `{spaceKey,destination}`".
  row(
    "gateway.connector.confluence",
    [
      "POST",
      "/ext/confluence",
      { baseUrl: "https://a.example/", spaceKey: "HR", username: "ada", accessToken: "x" },
    ],
    200,
    json,
    {
      body: {
        success: true,
        reason: null,
        data: { spaceKey: "HR", destination: "custom-documents" },
      },
    },
  ),
  row(
    "gateway.connector.confluence",
    [
      "POST",
      "/ext/confluence",
      {
        baseUrl: missing,
        spaceKey: "HR",
        username: null,
        accessToken: null,
        personalAccessToken: "x",
        cloud: false,
        bypassSSL: "true",
      },
    ],
    200,
    json,
    refused,
  ),
  // wire-contract 6.7: "data `{spaceIds,destination}`".
  row(
    "gateway.connector.drupalwiki",
    [
      "POST",
      "/ext/drupalwiki",
      { baseUrl: "https://a.example/", spaceIds: "1,2", accessToken: "x" },
    ],
    200,
    json,
    {
      body: {
        success: true,
        reason: null,
        data: { spaceIds: "1,2", destination: "custom-documents" },
      },
    },
  ),
  row(
    "gateway.connector.drupalwiki",
    ["POST", "/ext/drupalwiki", { baseUrl: missing, spaceIds: "1" }],
    200,
    json,
    refused,
  ),
  ...["", " , "].map((spaceIds) =>
    row(
      "gateway.connector.drupalwiki",
      ["POST", "/ext/drupalwiki", { baseUrl: "https://a.example/", spaceIds, accessToken: "x" }],
      200,
      json,
      { body: { success: false, data: null, reason: "The field spaceIds names no space." } },
    ),
  ),
];
