import { completeOpenId } from "@carrel/contracts";
import { readTokenClaims, TestBrowser } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import {
  useOpenIdInstance,
  redirectUri,
  scope,
  provider,
  running,
  request,
  begin,
  complete,
  signIn,
  userOf,
  person,
  expectFailure,
} from "../../test/openid-instance.ts";

useOpenIdInstance();

describe("a sign-in", () => {
  const codeless = (sealed: string, callback = `${redirectUri}?code=x&state=y`) =>
    complete(callback, sealed);

  it("is refused with a forged or modified cookie, or one older than ten minutes", async () => {
    const { url, sealed } = await begin();
    const back = await new TestBrowser().signInAtProvider(url, person());
    const old = running!.shared.secretBox.seal(
      JSON.stringify({
        ...(JSON.parse(running!.shared.secretBox.open(sealed)) as object),
        expiresAt: Date.now() - 1,
      }),
    );
    const foreign = running!.shared.secretBox.seal('"a secret of another kind"');
    for (const cookie of ["", "x", "v1:a:b:c:d", `${sealed.slice(0, -3)}AAA`, foreign]) {
      await expect(complete(back, cookie)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
      await expectFailure("not_begun");
    }
    await expect(complete(back, old)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("ten minutes"),
    });
    await expectFailure("expired");
  });

  it("is refused with a wrong, missing or duplicate state, before any request to the provider", async () => {
    const { url, sealed } = await begin();
    const back = new URL(await new TestBrowser().signInAtProvider(url, person()));
    const asked = provider.requests.length;
    const [wrong, missing, twice] = [new URL(back), new URL(back), new URL(back)];
    wrong.searchParams.set("state", new URL((await begin()).url).searchParams.get("state")!);
    missing.searchParams.delete("state");
    twice.searchParams.append("state", twice.searchParams.get("state")!);
    for (const callback of [wrong, missing, twice]) {
      await expect(complete(callback.href, sealed)).rejects.toMatchObject({
        kind: "UNAUTHENTICATED",
        message: expect.stringContaining("belongs to another sign-in"),
      });
      await expectFailure("state_mismatch");
    }
    await expect(codeless(sealed)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    expect(provider.requests.length).toBe(asked);
  });

  it("is refused with a callback that was already used", async () => {
    const { url, sealed } = await begin();
    const back = await new TestBrowser().signInAtProvider(url, person());
    await complete(back, sealed);
    await expect(complete(back, sealed)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("already been used"),
    });
    await expectFailure("code_refused");
  });

  it("is refused with someone else's code (PKCE)", async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const back = new URL(await new TestBrowser().signInAtProvider(theirs.url, person()));
    back.searchParams.set("state", new URL(mine.url).searchParams.get("state")!);
    await expect(complete(back.href, mine.sealed)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
    });
    await expectFailure("code_refused");
    const plain = new URL((await begin()).url);
    plain.searchParams.delete("code_challenge");
    const refused = new URL(await new TestBrowser().signInAtProvider(plain.href, person()));
    expect(refused.searchParams.get("error")).toBe("invalid_request");
  });

  it("is refused with a callback from another issuer (mix-up attack)", async () => {
    const { url, sealed } = await begin();
    const back = new URL(await new TestBrowser().signInAtProvider(url, person()));
    back.searchParams.set("iss", "https://evil.example");
    await expect(complete(back.href, sealed)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    await expectFailure("answer_refused");
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each<
    [
      string,
      (claims: Record<string, unknown>) => [Record<string, unknown>, "own" | "other" | "none"],
    ]
  >([
    ["signed by another key", (claims) => [claims, "other"]],
    ["not signed", (claims) => [claims, "none"]],
    ["of another issuer", (claims) => [{ ...claims, iss: "https://evil.example" }, "own"]],
    ["for another client", (claims) => [{ ...claims, aud: "somebody-else" }, "own"]],
    [
      "for two clients and authorised for the other",
      (claims) => [
        { ...claims, aud: ["carrel-test", "somebody-else"], azp: "somebody-else" },
        "own",
      ],
    ],
    ["that is over", (claims) => [{ ...claims, iat: now() - 900, exp: now() - 300 }, "own"]],
    ["from the future", (claims) => [{ ...claims, iat: now() + 300 }, "own"]],
    ["with another nonce", (claims) => [{ ...claims, nonce: "another" }, "own"]],
    ["without a nonce", ({ nonce: _nonce, ...claims }) => [claims, "own"]],
    ["without a subject", ({ sub: _sub, ...claims }) => [claims, "own"]],
  ])("is refused with an id token %s", async (_name, change) => {
    provider.onToken = (body) => ({
      ...body,
      id_token: provider.signToken(...change(readTokenClaims(body.id_token))),
    });
    const login = person({ preferred_username: "forged" });
    await expect(signIn(login)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: expect.stringContaining("couldn't be verified"),
    });
    await expectFailure("answer_refused");
    expect(await userOf(login)).toBeUndefined();
  });

  it("is refused with a modified or missing id token", async () => {
    provider.onToken = (body) => {
      const [header, , signature] = body.id_token.split(".");
      return {
        ...body,
        id_token: [
          header,
          Buffer.from(
            JSON.stringify({ ...readTokenClaims(body.id_token), sub: "the-admin" }),
          ).toString("base64url"),
          signature,
        ].join("."),
      };
    };
    await expect(signIn(person())).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    await expectFailure("answer_refused");
    provider.onToken = ({ id_token: _token, ...body }) => body;
    await expect(signIn(person())).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
  });

  it("succeeds when the same hook signs with the right key", async () => {
    provider.onToken = (body) => ({
      ...body,
      id_token: provider.signToken(readTokenClaims(body.id_token)),
    });
    await expect(signIn(person())).resolves.toMatchObject({ redirectTo: null });
  });

  it("is refused with a message when the person cancels, and on any other provider error", async () => {
    await expect(signIn(null)).rejects.toMatchObject({
      kind: "UNAUTHENTICATED",
      message: "Sign-in with OpenID was canceled or denied.",
    });
    await expectFailure("access_denied");
    const { url, sealed } = await begin();
    const state = new URL(url).searchParams.get("state")!;
    for (const rest of [
      "error=server_error",
      "error=%00%0a<script>",
      "error=",
      "",
      "code=",
      "code=a&code=b",
      "code=%F0%28%8C%BC",
      `code=${"x".repeat(8_000)}`,
      "response=a.b.c",
    ]) {
      const callback = `${redirectUri}?${new URLSearchParams({ state, iss: provider.url })}&${rest}`;
      await expect(complete(callback, sealed)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
    }
  });

  it("is refused after a hundred failed attempts from the address", async () => {
    const { sealed } = await begin();
    const wrong = () =>
      request(
        completeOpenId,
        { callbackUrl: `${redirectUri}?code=a&state=b`, sealed, address: "198.51.100.9" },
        { scope },
      ).then(
        () => "in",
        (error: { kind: string }) => error.kind,
      );
    const codes: string[] = [];
    for (let round = 0; round < 8; round += 1)
      codes.push(...(await Promise.all(Array.from({ length: 15 }, wrong))));
    expect(codes.slice(0, 90).every((code) => code === "UNAUTHENTICATED")).toBe(true);
    expect(codes.slice(-10).every((code) => code === "TOO_MANY_ATTEMPTS")).toBe(true);
    await expect(signIn(person())).resolves.toMatchObject({ redirectTo: null });
  });

  it("never puts a token in the event log", () => {
    const text = JSON.stringify(running!.logged);
    for (const secret of ["code=", "v1:", "eyJ"]) expect(text).not.toContain(secret);
  });
});
