import { describe, expect, it } from "@jest/globals";
import { clientAddress } from "./client-address.ts";

const from = (ip: string, remoteAddress: string | undefined = "10.0.0.1"): string | undefined =>
  clientAddress({ ip, socket: { remoteAddress } } as Parameters<typeof clientAddress>[0]);

describe("clientAddress", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["fe80::1%eth0", "fe80::1"],
    ["unknown", "10.0.0.1"],
    ["", "10.0.0.1"],
    ["1.2.3.4:80", "10.0.0.1"],
    ["x".repeat(100), "10.0.0.1"],
  ])("%j is %j", (ip, address) => {
    expect(from(ip)).toBe(address);
  });

  it("is undefined once the connection is closed", () => {
    expect(
      clientAddress({
        ip: undefined,
        socket: { remoteAddress: undefined },
      } as unknown as Parameters<typeof clientAddress>[0]),
    ).toBeUndefined();
  });
});
