import { describe, expect, it } from "@jest/globals";
import { requestKey, startBodyHash, clientAddress } from "./request-key.ts";

interface Sent {
  key?: string;
  method?: string;
  url?: string;
  body?: string;
}
const ask = ({ key = "k", method = "POST", url = "/api/a", body = "" }: Sent, content?: object) => {
  const request = { headers: { "idempotency-key": key }, id: "r", method, url };
  startBodyHash(request)?.update(body);
  return requestKey(request, content);
};

describe("the key of a write", () => {
  const first = ask({ body: "{}" });

  it("is the client's, for the same request", () => {
    expect(first).toMatch(/^client\/k\//);
    expect(ask({ body: "{}" })).toBe(first);
  });

  it("is another one for another key, address, method, body or file", () => {
    const keys = [
      first,
      ask({ key: "l", body: "{}" }),
      ask({ url: "/api/b", body: "{}" }),
      ask({ method: "PUT", body: "{}" }),
      ask({ body: "[]" }),
      ask({}),
      ask({}, { sha256: "1" }),
      ask({}, { sha256: "2" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is the request's without one that can be used", () => {
    for (const key of ["", "two words", "x".repeat(201)]) expect(ask({ key })).toBe("r");
  });
});

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
