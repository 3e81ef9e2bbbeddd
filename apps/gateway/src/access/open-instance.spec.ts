import { expect, it } from "@jest/globals";
import { warnOfOpenInstance } from "./open-instance.ts";

const open = (): Promise<{ RequiresAuth: boolean }> => Promise.resolve({ RequiresAuth: false });

it("warns of an instance that anyone on the network can take over", async () => {
  for (const host of ["0.0.0.0", "::", "192.168.0.5", "desk.example"])
    expect(await warnOfOpenInstance(host, open)).toContain(`Anyone who can reach ${host}`);
});

it("says nothing of one that is protected, only for this machine, or of unknown mode", async () => {
  for (const host of ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
    expect(await warnOfOpenInstance(host, open)).toBeNull();
  expect(
    await warnOfOpenInstance("0.0.0.0", () => Promise.resolve({ RequiresAuth: true })),
  ).toBeNull();
  expect(await warnOfOpenInstance("0.0.0.0", () => Promise.reject(new Error("away")))).toBeNull();
});
