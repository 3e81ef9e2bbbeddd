import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { authShape } from "../auth.config.ts";
import { PasswordRules, refusePassword } from "./password-rules.ts";

const rules = (variables: Record<string, string> = {}) =>
  new PasswordRules(z.object(authShape).parse(variables));

describe("password rules", () => {
  it("require eight printable characters", () => {
    for (const refuse of [refusePassword, (password: string) => rules().refuse(password)]) {
      expect(refuse("1234567")?.message).toBe("Password must be at least 8 characters.");
      expect(refuse("")?.message).toBe("Password must be at least 8 characters.");
      expect(refuse("has\ttab in it")?.message).toBe(
        "Password may only contain printable characters.",
      );
      expect(refuse("        ")?.message).toBe("Password cannot be blank.");
      expect(refuse("x".repeat(251))?.message).toBe(
        "Password cannot be longer than 250 characters.",
      );
      for (const fine of [
        "12345679a",
        "correct horse battery",
        "пароль123",
        'pass word!#"§',
        "x".repeat(250),
      ])
        expect(refuse(fine)).toBeNull();
    }
  });

  it("are described as they are applied", () => {
    expect(rules().describe()).toEqual({
      shortest: 8,
      longest: 250,
      lowercase: 0,
      uppercase: 0,
      digits: 0,
      symbols: 0,
      needed: 0,
    });
    const strict = { PASSWORDMINCHAR: "12", PASSWORDUPPERCASE: "1", PASSWORDNUMERIC: "2" };
    expect(rules(strict).describe()).toMatchObject({
      shortest: 12,
      uppercase: 1,
      digits: 2,
      needed: 2,
    });
    expect(rules({ ...strict, PASSWORDREQUIREMENTS: "1" }).describe().needed).toBe(1);
  });

  it.each(["12345678", "password", "Password1", "TRUSTNO1", "iloveyou", "1qaz2wsx"])(
    "refuse the common password %s",
    (password) => {
      const words = "This password is one of the most common ones. Choose another.";
      expect(refusePassword(password)?.message).toBe(words);
      expect(rules().refuse(password)?.message).toBe(words);
    },
  );

  it("can be tightened by the environment but never loosened", () => {
    expect(rules({ PASSWORDMINCHAR: "3", PASSWORDMAXCHAR: "900" }).refuse("1234567")?.message).toBe(
      "Password must be at least 8 characters.",
    );
    expect(rules({ PASSWORDMAXCHAR: "900" }).refuse("x".repeat(251))?.message).toBe(
      "Password cannot be longer than 250 characters.",
    );
    expect(rules({ PASSWORDMINCHAR: "12" }).refuse("12345678901")?.message).toBe(
      "Password must be at least 12 characters.",
    );
    const strict = rules({
      PASSWORDLOWERCASE: "2",
      PASSWORDUPPERCASE: "1",
      PASSWORDNUMERIC: "1",
      PASSWORDSYMBOL: "1",
    });
    expect(strict.refuse("abcdefgh")?.message).toBe(
      "Password must contain at least 1 upper-case letter and at least 1 digit and at least 1 symbol.",
    );
    expect(strict.refuse("ABCDEF1!")?.message).toBe(
      "Password must contain at least 2 lower-case letters.",
    );
    expect(strict.refuse("abCDEF1!")).toBeNull();
    const two = rules({
      PASSWORDLOWERCASE: "1",
      PASSWORDUPPERCASE: "1",
      PASSWORDNUMERIC: "1",
      PASSWORDREQUIREMENTS: "2",
    });
    expect(two.refuse("abcdefgh")?.message).toBe(
      "Password must contain at least 1 upper-case letter or at least 1 digit.",
    );
    expect(two.refuse("abcdefh1")).toBeNull();
  });
});
