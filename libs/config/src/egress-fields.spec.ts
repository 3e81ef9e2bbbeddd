import { X509Certificate, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { instanceShape, loadConfig, type ConfigError } from "./index.ts";

const base = { DATABASE_URL: "postgres://127.0.0.1/carrel", REDIS_URL: "redis://127.0.0.1" };
const read = (environment: NodeJS.ProcessEnv) =>
  loadConfig(instanceShape, { ...base, ...environment });
function faultsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

let printed = "";
beforeEach(() => {
  printed = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe("CARREL_CA_FILE", () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-ca-"));
  const file = join(folder, "ca.pem");
  afterAll(() => rmSync(folder, { recursive: true }));
  const withText = (text: string): NodeJS.ProcessEnv => {
    writeFileSync(file, text);
    return { CARREL_CA_FILE: file };
  };
  const [one = "", two = ""] = rootCertificates;

  it("is a bundle with any text between the certificates", () => {
    expect(read({}).CARREL_CA).toEqual([]);
    const certificates = read(withText(`# ours\r\n${one}\n\nfor the lab:\n${two}\n`)).CARREL_CA;
    const fingerprint = (text: string): string => new X509Certificate(text).fingerprint256;
    expect(certificates.map(fingerprint)).toEqual([one, two].map(fingerprint));
  });

  it("is refused with the variable's name if it is something else", () => {
    expect(faultsOf(withText("not a certificate"))).toEqual([
      "CARREL_CA_FILE: holds no certificate in PEM format",
    ]);
    const damaged = two.replace(/\n[^\n]{10}/, "\n0000000000");
    expect(faultsOf(withText(`${one}\n${damaged}`))).toEqual([
      "CARREL_CA_FILE: certificate 2 is damaged",
    ]);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
    expect(faultsOf(withText(one + key))).toEqual([
      "CARREL_CA_FILE: holds a private key; only certificates belong here",
    ]);
    expect(faultsOf({ CARREL_CA_FILE: join(folder, "none.pem") })).toEqual([
      `CARREL_CA_FILE: can't read ${join(folder, "none.pem")} (ENOENT)`,
    ]);
    expect(printed).not.toContain("PRIVATE KEY-----");
  });
});

describe("CARREL_EGRESS_PROXY", () => {
  it("is a URL whose credentials are never printed", () => {
    const config = read({ CARREL_EGRESS_PROXY: "http://carrel:secret-word@proxy.example:3128" });
    expect(config.CARREL_EGRESS_PROXY?.reveal()).toBe(
      "http://carrel:secret-word@proxy.example:3128/",
    );
    expect(JSON.stringify(config)).not.toContain("secret-word");
    expect(config.CARREL_EGRESS_PROXY_DNS).toBe("local");
  });

  it.each([
    "proxy.example:3128",
    "socks5://carrel:secret-word@proxy.example:1080",
    "http://carrel:secret-word@proxy.example:3128/path",
    "http://carrel:secret-word%@proxy.example:3128",
    "http://carrel:secret-word@",
  ])("isn't %s", (text) => {
    const [first, ...more] = faultsOf({ CARREL_EGRESS_PROXY: text });
    expect(first).toMatch(/^CARREL_EGRESS_PROXY: must be a URL such as http:\/\/proxy\.example/);
    expect(more).toEqual([]);
    expect(first + printed).not.toContain("secret-word");
  });

  it("has exceptions: hosts, subdomains, addresses and networks", () => {
    const list = (text: string) =>
      read({ CARREL_EGRESS_PROXY_EXCEPT: text }).CARREL_EGRESS_PROXY_EXCEPT;
    const networks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];
    expect(read({}).CARREL_EGRESS_PROXY_EXCEPT).toEqual(networks);
    expect(list("wiki, .corp.example,*.lab.example , 192.0.2.7,2001:db8::/32")).toEqual([
      "wiki",
      "*.corp.example",
      "*.lab.example",
      "192.0.2.7",
      "2001:db8::/32",
    ]);
    expect(list("Private,wiki")).toEqual([...networks, "wiki"]);
    for (const wrong of [
      "10.0.0.0/33",
      "10.0.0",
      "wiki:8080",
      "http://wiki",
      "*",
      "a b",
      "fe80::1%1",
    ])
      expect(faultsOf({ CARREL_EGRESS_PROXY_EXCEPT: wrong })).toEqual([
        `CARREL_EGRESS_PROXY_EXCEPT: '${wrong}' is not a host such as wiki.example, *.example, an address, a network such as 10.0.0.0/8 or private`,
      ]);
  });
});
