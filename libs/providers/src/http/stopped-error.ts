import { ProviderError } from "../spec/provider-error.ts";
import type { Vendor } from "./describe-fault.ts";

/** The answer ended with an error that the vendor doesn't describe. */
export const stoppedError = ({ name: vendor }: Vendor): ProviderError =>
  new ProviderError(
    { code: "provider.stopped-with-error", params: { vendor } },
    { kind: "broken-stream" },
  );
