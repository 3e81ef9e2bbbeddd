import { TokenFactors } from "./token-factors.ts";

const model = { provider: "generic-openai", model: "mystery", contextWindow: 8_192 };

describe("model tokens per o200k token", () => {
  it("start with an estimate by family", () => {
    const factors = new TokenFactors();
    expect(factors.factorOf({ provider: "openai", model: "gpt-4.1" })).toBe(1);
    expect(factors.factorOf({ provider: "anthropic", model: "claude-sonnet-4-6" })).toBe(1.2);
    expect(factors.factorOf({ provider: "ollama", model: "llama2:7b" })).toBe(1.3);
    expect(factors.factorOf({ provider: "ollama", model: "gpt-oss:20b" })).toBe(1);
    expect(factors.factorOf(model)).toBe(1.2);
  });

  it("approach the provider's count, smoothly, within bounds and per model", () => {
    const factors = new TokenFactors();
    factors.learn(model, 1_000, 1_600);
    expect(factors.factorOf(model)).toBeCloseTo(1.36);
    for (let index = 0; index < 20; index += 1) factors.learn(model, 1_000, 1_600);
    expect(factors.factorOf(model)).toBeCloseTo(1.6, 2);
    expect(factors.factorOf({ ...model, model: "other" })).toBe(1.2);
    for (let index = 0; index < 20; index += 1) factors.learn(model, 1_000, 4_000);
    expect(factors.factorOf(model)).toBeCloseTo(2.5, 2);
    for (let index = 0; index < 20; index += 1) factors.learn(model, 1_000, 500);
    expect(factors.factorOf(model)).toBeCloseTo(0.8, 2);
  });

  it("ignore numbers that can't be a count of the prompt", () => {
    const factors = new TokenFactors();
    factors.learn(model, 100, 500);
    factors.learn(model, 1_000, 0);
    factors.learn(model, 10_000, 300);
    factors.learn(model, 1_000, 90_000);
    expect(factors.factorOf(model)).toBe(1.2);
  });

  it("grow when a prompt was too long, unless the server reports its window", () => {
    const factors = new TokenFactors();
    factors.noteTooLong(model, undefined);
    expect(factors.factorOf(model)).toBeCloseTo(1.44);
    factors.noteTooLong(model, 4_096);
    expect(factors.windowOf(model)).toBe(4_096);
    expect(factors.factorOf(model)).toBeCloseTo(1.44);
    for (let index = 0; index < 20; index += 1) factors.noteTooLong(model, 1_000_000);
    expect(factors.factorOf(model)).toBe(2.5);
    expect(factors.windowOf({ ...model, contextWindow: 2_048 })).toBe(2_048);
  });
});
