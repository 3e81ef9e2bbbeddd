import { CarrelError } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { isBusy, isSourceBusy, toSourceFault, waitOf } from "./source-fault.ts";

it.each([
  ["of originals", Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" })],
  ["of another service", new CarrelError("request.storage-full")],
])("an item waits while a disk %s is full, and no attempt is counted", (_which, error) => {
  const fault = toSourceFault(error);
  expect(fault).toMatchObject({ code: "request.storage-full" });
  expect(isBusy(fault)).toBe(true);
  expect(isSourceBusy(fault as CarrelError)).toBe(false);
  expect(waitOf(fault as CarrelError)).toBe(15_000);
});
