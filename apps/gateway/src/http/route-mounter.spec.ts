import { expect, it } from "@jest/globals";
import { listOtherMethods } from "./route-mounter.ts";

it("lists the methods an address does not support, except those another pattern handles", () => {
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
