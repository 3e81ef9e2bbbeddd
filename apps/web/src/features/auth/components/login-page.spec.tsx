import { afterEach, describe, expect, it, jest } from "@jest/globals";
import "../../../../testing/texts.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { faultHeaders } from "../../../../test/fault-of.ts";
import { queryClient } from "../../../lib/query-client.ts";
import type { SignInOptions } from "../api/auth-state.ts";
import { LoginPage } from "./login-page.tsx";

const original = globalThis.fetch;
afterEach(() => {
  cleanup();
  globalThis.fetch = original;
});
const single: SignInOptions = {
  multiUser: false,
  requiresAuth: true,
  isNew: false,
  openIdName: null,
  noLogin: false,
  noLoginRedirect: null,
};
const multi: SignInOptions = { ...single, multiUser: true };
const reply = (status: number, body: unknown): Response =>
  ({
    ok: status < 400,
    status,
    headers: new Headers(faultHeaders(body, status)),
    json: async () => body,
    text: async () => JSON.stringify(body),
  }) as unknown as Response;

const renderPage = (page: ReactElement) =>
  render(<QueryClientProvider client={queryClient}>{page}</QueryClientProvider>);

describe("login page", () => {
  it("shows that it is signing in, then the error at the field, and keeps what was typed", async () => {
    let answer: (response: Response) => void = () => undefined;
    globalThis.fetch = (() =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      })) as typeof fetch;
    const onSession = jest.fn();
    renderPage(<LoginPage signInOptions={single} redirectTo="/" onSession={onSession} />);
    await userEvent.type(screen.getByLabelText("Password"), "wrong{enter}");
    const button = await screen.findByRole("button", { name: "Signing in" });
    expect((button as HTMLButtonElement).disabled).toBe(true);
    answer(reply(401, {}));
    expect((await screen.findByRole("alert")).textContent).toBe("Couldn't sign you in.");
    expect((screen.getByLabelText("Password") as HTMLInputElement).value).toBe("wrong");
    expect(onSession).not.toHaveBeenCalled();
  });
  it("requires a password", async () => {
    renderPage(<LoginPage signInOptions={single} redirectTo="/" onSession={() => undefined} />);
    expect(screen.queryByLabelText("Username")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Enter your password.");
  });
  it("asks for the second factor, keeps the password after a wrong code, and returns the session", async () => {
    const sent: unknown[] = [];
    const user = {
      id: 1,
      username: "mira",
      pfpFilename: null,
      role: "admin",
      suspended: 0,
      seen_recovery_codes: true,
      createdAt: "",
      lastUpdatedAt: "",
      dailyMessageLimit: null,
      bio: "",
      email: null,
      theme: null,
      userLang: null,
      secondFactor: true,
    };
    const replies = [
      reply(200, {
        valid: false,
        user: null,
        token: null,
        message: "[006] One-time code required.",
      }),
      reply(200, {
        valid: false,
        user: null,
        token: null,
        message: "[006] The one-time code is incorrect.",
      }),
      reply(200, { valid: true, user, token: "token", message: null }),
    ];
    globalThis.fetch = (async (_url: string, init: RequestInit) => {
      sent.push(JSON.parse(String(init.body)));
      return replies[sent.length - 1];
    }) as unknown as typeof fetch;
    const onSession = jest.fn();
    renderPage(<LoginPage signInOptions={multi} redirectTo="/" onSession={onSession} />);
    await userEvent.type(screen.getByLabelText("Username"), "mira");
    await userEvent.type(screen.getByLabelText("Password"), "longenough{enter}");
    const code = await screen.findByLabelText("Code");
    expect(code.getAttribute("autocomplete")).toBe("one-time-code");
    await userEvent.type(code, "000000{enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("The code is incorrect.");
    expect((screen.getByLabelText("Code") as HTMLInputElement).value).toBe("000000");
    await userEvent.clear(screen.getByLabelText("Code"));
    await userEvent.type(screen.getByLabelText("Code"), "123456{enter}");
    await screen.findByRole("button", { name: "Sign in" });
    expect(sent.at(-1)).toEqual({ username: "mira", password: "longenough", code: "123456" });
    expect(onSession).toHaveBeenCalledWith({ token: "token", user });
  });
  it("goes back to the password when the credentials become invalid while the code is typed", async () => {
    const replies = [
      { valid: false, user: null, token: null, message: "[006] One-time code required." },
      { valid: false, user: null, token: null, message: "[001] Invalid login credentials." },
    ].map((body) => reply(200, body));
    globalThis.fetch = (async () => replies.shift()) as unknown as typeof fetch;
    renderPage(<LoginPage signInOptions={multi} redirectTo="/" onSession={() => undefined} />);
    await userEvent.type(screen.getByLabelText("Username"), "mira");
    await userEvent.type(screen.getByLabelText("Password"), "longenough{enter}");
    await userEvent.type(await screen.findByLabelText("Code"), "123456{enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong username or password");
    expect((screen.getByLabelText("Username") as HTMLInputElement).value).toBe("mira");
  });
  it("has no form when single sign-on is the only way in", () => {
    renderPage(
      <LoginPage
        signInOptions={{ ...multi, noLogin: true, openIdName: "Harbour ID" }}
        redirectTo="/workspace/a"
        onSession={() => undefined}
      />,
    );
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(
      screen.getByRole("link", { name: "Continue with Harbour ID" }).getAttribute("href"),
    ).toBe("/api/auth/openid/start?redirectTo=%2Fworkspace%2Fa");
  });
});
