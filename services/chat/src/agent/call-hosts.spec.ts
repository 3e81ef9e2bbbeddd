import { listHosts } from "./call-hosts.ts";

describe("the hosts of a call", () => {
  it.each([
    ["mcp:tickets", "send", "tickets (mcp.example.com)", ["mcp.example.com"]],
    ["mcp:tickets", "send", "tickets (localhost:3000)", ["localhost:3000"]],
    ["mcp:tickets", "send", "tickets", []],
    ["gmail-agent", "send", "bob@example.com, eve@xn--mnchen-3ya.de", ["example.com", "xn--mnchen-3ya.de"]], // prettier-ignore
    ["gmail-agent", "send", "secret@secret@münchen.de", ["xn--mnchen-3ya.de"]],
    ["gmail-agent", "send", "my secret@not a domain/", ["not"]],
    ["google-calendar-agent", "send", "Google Calendar, bob@example.com", ["example.com"]],
    ["filesystem-agent", "write", "notes", []],
    ["filesystem-agent", "write", "plan.md", []],
    ["filesystem-agent", "write", "notes (plan.md)", []],
    ["web-scraping", "fetch", "example.com", ["example.com"]],
    ["web-scraping", "fetch", "https://me:secret@example.com/secret?q=secret", ["example.com"]],
    ["web-browsing", "fetch", "Tavily", []],
    ["test", "send", "https://a.example/x https://a.example/y https://b.example:8443", ["a.example", "b.example:8443"]], // prettier-ignore
  ] as const)("%s (%s): %s", (skill, effect, destination, hosts) => {
    expect(listHosts({ skill, effect }, destination)).toEqual(hosts);
  });
});
