import {
  createContentClient,
  isLoopbackUrl,
  isMetadataAddress,
  isPublicAddress,
  parseAllowList,
  type ResolvedAddress,
} from "@carrel/egress";
import { describe, expect, it } from "@jest/globals";

/**
 * What the test's host names resolve to; any other name that reaches the resolver fails the test.
 */
const names: Record<string, string[]> = {
  "private.test": ["10.1.2.3"],
  "loopback.test": ["127.0.0.1"],
  "loopback6.test": ["::1"],
  "mixed.test": ["93.184.216.34", "192.168.1.1"],
  "mapped.test": ["::ffff:10.0.0.1"],
  "linklocal.test": ["169.254.169.254"],
  "ula.test": ["fd12:3456::1"],
  "nat64.test": ["64:ff9b::a00:1"],
  "zone.test": ["fe80::1%eth0"],
  "odd.test": ["0x7f.1"],
  "unspecified.test": ["0.0.0.0"],
};
const resolve = async (host: string): Promise<ResolvedAddress[]> => {
  const found = names[host];
  if (!found) throw Object.assign(new Error("no such host"), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};

describe("refuses every spelling of a non-public address before anything is sent", () => {
  it.each([
    // loopback
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.255.255.254/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0177.0.0.01/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://localhost../",
    "http://app.localhost/",
    "http://localhost.localdomain/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
    "http://loopback.test/",
    "http://loopback6.test/",
    // IPv4 inside IPv6
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a00:1::1]/",
    "http://[2001:0:53aa:64c::f5ff:fffe]/",
    "http://[2001::f5ff:fffe]/",
    "http://[::ffff:0:10.0.0.1]/",
    "http://[2606:4700::5efe:a00:1]/",
    "http://[2606:4700::200:5efe:10.0.0.1]/",
    "http://mapped.test/",
    "http://nat64.test/",
    // private, shared, link-local
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://167772161/",
    "http://0xa000001/",
    "http://012.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.1/",
    "http://3232235521/",
    "http://100.64.0.1/",
    "http://100.127.255.255/",
    "http://169.254.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fec0::1]/",
    "http://metadata.google.internal/",
    "http://METADATA.google.internal./",
    "http://private.test/",
    "http://private.test./",
    "http://ula.test/",
    "http://linklocal.test/",
    // unspecified, broadcast, documentation
    "http://0.0.0.0/",
    "http://0/",
    "http://0.1.2.3/",
    "http://[::]/",
    "http://unspecified.test/",
    "http://224.0.0.1/",
    "http://239.255.255.255/",
    "http://[ff02::1]/",
    "http://255.255.255.255/",
    "http://240.0.0.1/",
    "http://192.0.2.1/",
    "http://198.51.100.7/",
    "http://203.0.113.9/",
    "http://198.18.0.1/",
    "http://192.0.0.8/",
    "http://192.88.99.1/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[100::1]/",
    "http://[5f00::1]/",
    "http://[4000::1]/",
    // one private address among public ones, answers that aren't addresses
    "http://mixed.test/",
    "http://zone.test/",
    "http://odd.test/",
    // other protocols' ports
    "http://93.184.216.34:22/",
    "http://93.184.216.34:25/",
    "http://93.184.216.34:6379/",
    "http://93.184.216.34:5432/",
  ])("%s", async (url) => {
    await expect(
      createContentClient({ resolve, timeoutMs: 20_000 }).fetch(url),
    ).rejects.toMatchObject({ name: "EgressError", reason: "refused" });
  });

  it.each([
    "",
    "not a url",
    "http://",
    "file:///etc/passwd",
    "ftp://example.org/",
    "gopher://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://user:pass@example.org/",
    "http://example.org@127.0.0.1/",
    "http://127.0.0.1#@example.org:80@/x y:z@",
    "http://[::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://256.256.256.256/",
    "http://1.2.3.4.5/",
    "http://exa mple.org/",
    "http://[::1/",
    "//example.org/",
    "http://example.org:99999/",
    "http://a%00b/",
  ])("rejects %j as an invalid or refused address", async (url) => {
    await expect(
      createContentClient({ resolve, timeoutMs: 20_000 }).fetch(url),
    ).rejects.toMatchObject({
      name: "EgressError",
      reason: expect.stringMatching(/^(?:bad-url|refused)$/),
    });
  });
});

it("accepts public addresses", () => {
  for (const address of [
    "8.8.8.8",
    "93.184.216.34",
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "2606:4700::6810:84e5",
    "2a00:1450:4001::1",
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  for (const text of ["", "example.org", "127.1", "0x8.8.8.8", "8.8.8.8/32"])
    expect([text, isPublicAddress(text)]).toEqual([text, false]);
});

it("recognises metadata addresses in every spelling", () => {
  for (const address of [
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "fd00:ec2::254",
    "fe80::a9fe:a9fe",
    "::ffff:169.254.169.254",
    "::169.254.169.254",
    "::ffff:0:169.254.169.254",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1:a9fe:a9:fe00::",
    "64:ff9b:1:a9:fe:a9fe::",
    "64:ff9b:1:0:a9:fea9:fe00:0",
    "64:ff9b:1::169.254.169.254",
    "2002:a9fe:a9fe::",
    "2001:0:a9fe:a9fe::1",
    "2001::5601:5601", // Teredo, its client 169.254.169.254
    "2001:0:4136:e378:8000:63bf:5601:5601",
    "2001:0:4136:e378:8000:63bf:9b9b:9b37", // 100.100.100.200
    "2606:4700::5efe:169.254.169.254",
    "2606:4700::200:5efe:a9fe:a9fe",
    "fd00::5efe:168.63.129.16",
  ])
    expect([address, isMetadataAddress(address)]).toEqual([address, true]);
  for (const address of [
    "127.0.0.1",
    "10.0.0.1",
    "::1",
    "8.8.8.8",
    "::ffff:10.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:a00:1::",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe",
    "2606:4700::a9fe:a9fe",
    "fd00::169.254.169.254",
  ])
    expect([address, isMetadataAddress(address)]).toEqual([address, false]);
});

it("the allow-list accepts names, subdomains, addresses and ranges, and rejects typos", () => {
  const list = parseAllowList([
    "wiki.corp",
    "*.intra.corp",
    "10.2.0.0/16",
    "192.168.7.9",
    "fd12::/16",
    "",
  ]);
  expect([
    list.hasHost("WIKI.corp."),
    list.hasHost("a.wiki.corp"),
    list.hasHost("x.intra.corp"),
    list.hasHost("intra.corp"),
    list.hasHost("evilintra.corp"),
  ]).toEqual([true, false, true, false, false]);
  expect([
    list.hasAddress("10.2.255.1"),
    list.hasAddress("10.3.0.1"),
    list.hasAddress("192.168.7.9"),
    list.hasAddress("fd12:1::5"),
    list.hasAddress("::ffff:10.2.0.1"),
  ]).toEqual([true, false, true, true, false]);
  expect(() => parseAllowList(["10.0.0.0/99"])).toThrow();
  expect(() => parseAllowList(["http://x"])).toThrow();
});

describe("an address of this machine", () => {
  it.each([
    "http://127.0.0.1:9000",
    "http://127.1",
    "http://localhost",
    "http://LOCALHOST.",
    "http://id.localhost:1",
    "http://[::1]:1",
  ])("includes %s", (address) => {
    expect(isLoopbackUrl(new URL(address))).toBe(true);
  });
  it.each([
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://localhost.evil.example",
    "http://127.0.0.1.nip.io",
    "http://id.example",
    "http://[::]",
    "http://[fe80::1]",
    "http://[::ffff:127.0.0.1]",
  ])("excludes %s", (address) => {
    expect(isLoopbackUrl(new URL(address))).toBe(false);
  });
});
