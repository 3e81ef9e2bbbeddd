import { expect, it } from "@jest/globals";
import { listOtherMethods } from "./other-methods.ts";

it("lists what an address does not take, and leaves alone what another pattern answers", () => {
  const routes = [
    { method: "GET", url: "/api/workspaces" },
    { method: "POST", url: "/api/workspace/new" },
    { method: "GET", url: "/api/workspace/:slug" },
    { method: "DELETE", url: "/api/workspace/:id" },
  ];
  expect(listOtherMethods(routes)).toEqual([
    { url: "/api/workspaces", allowed: ["GET"], methods: ["POST", "PUT", "PATCH", "DELETE"] },
    { url: "/api/workspace/new", allowed: ["GET", "POST", "DELETE"], methods: ["PUT", "PATCH"] },
    { url: "/api/workspace/:slug", allowed: ["GET", "POST", "DELETE"], methods: ["PUT", "PATCH"] },
  ]);
});
