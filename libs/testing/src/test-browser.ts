import { request as httpRequest, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** A minimal browser for signing in: cookies by origin and path, manual redirects. */
export class TestBrowser {
  private readonly cookies = new Map<string, Cookie[]>();

  get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send("GET", address, headers);
  }

  post(address: string, form: Record<string, string>): Promise<Response> {
    return this.send(
      "POST",
      address,
      { "content-type": "application/x-www-form-urlencoded" },
      new URLSearchParams(form).toString(),
    );
  }

  cookie(origin: string, name: string): string | null {
    return (
      this.cookies.get(new URL(origin).origin)?.find((cookie) => cookie.name === name)?.value ??
      null
    );
  }

  setCookie(address: string, cookie: Cookie): void {
    const jar = this.cookies.get(new URL(address).origin) ?? [];
    this.cookies.set(new URL(address).origin, [
      ...jar.filter((one) => one.name !== cookie.name || one.path !== cookie.path),
      cookie,
    ]);
  }

  /**
   * From the provider's authorization URL to the redirect back, which is returned without being
   * requested.
   */
  async signInAtProvider(authorization: string, login: string | null): Promise<string> {
    const provider = new URL(authorization).origin;
    for (let address = authorization, hops = 0; hops < 10; hops += 1) {
      let response = await this.get(address);
      if (new URL(address).pathname.startsWith("/interaction/"))
        response = await this.post(
          address,
          login === null ? { choice: "cancel" } : { choice: "sign-in", login },
        );
      const location = response.headers.get("location");
      if (location === null)
        throw new Error(
          `the provider responded with ${response.status}: ${(await response.text()).slice(0, 500)}`,
        );
      address = new URL(location, address).href;
      if (new URL(address).origin !== provider) return address;
    }
    throw new Error("the provider redirects in a loop");
  }

  /** Does not use fetch, which adds Sec-Fetch headers. */
  private async send(
    method: string,
    address: string,
    headers: Record<string, string>,
    body = "",
  ): Promise<Response> {
    const { origin, pathname } = new URL(address);
    const cookie = (this.cookies.get(origin) ?? [])
      .filter(
        ({ path }) =>
          pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const incoming = await new Promise<IncomingMessage>((done, fail) => {
      httpRequest(
        address,
        { method, headers: { ...headers, ...(cookie === "" ? {} : { cookie }) }, agent: false },
        done,
      )
        .on("error", fail)
        .end(body);
    });
    const response = new Response(await buffer(incoming), { status: incoming.statusCode! });
    for (const [name, values] of Object.entries(incoming.headersDistinct))
      for (const value of values ?? []) response.headers.append(name, value);
    for (const line of response.headers.getSetCookie()) this.keep(address, line);
    return response;
  }

  private keep(address: string, line: string): void {
    const [pair, ...attributes] = line.split(";").map((part) => part.trim());
    const [name, value] = [pair!.slice(0, pair!.indexOf("=")), pair!.slice(pair!.indexOf("=") + 1)];
    const attribute = (key: string): string | undefined =>
      attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    const path = attribute("path") ?? "/";
    const isGone =
      value === "" ||
      attribute("max-age") === "0" ||
      (attribute("expires") !== undefined && Date.parse(attribute("expires")!) < Date.now());
    if (isGone)
      this.cookies.set(
        new URL(address).origin,
        (this.cookies.get(new URL(address).origin) ?? []).filter(
          (one) => one.name !== name || one.path !== path,
        ),
      );
    else this.setCookie(address, { name, value, path });
  }
}
