import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { Segmented } from "./segmented.tsx";

afterEach(() => {
  cleanup();
  document.documentElement.style.direction = "";
});
const options = [
  { value: "a", label: "A" },
  { value: "b", label: "B" },
  { value: "c", label: "C" },
];
function Choice() {
  const [value, setValue] = useState("b");
  return <Segmented label="Which" value={value} options={options} onChange={setValue} />;
}
const chosen = (): string | null => screen.getByRole("radio", { checked: true }).textContent;

describe("segmented control", () => {
  it("is one tab stop, moves with the arrow keys and does not wrap around", async () => {
    render(<Choice />);
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe("B");
    await userEvent.keyboard("{ArrowRight}");
    expect([chosen(), document.activeElement?.textContent]).toEqual(["C", "C"]);
    await userEvent.keyboard("{ArrowDown}");
    expect(chosen()).toBe("C");
    await userEvent.keyboard("{ArrowLeft}{ArrowUp}{ArrowUp}");
    expect(chosen()).toBe("A");
    await userEvent.tab();
    expect(document.activeElement).toBe(document.body);
    await userEvent.click(screen.getByRole("radio", { name: "C" }));
    expect(chosen()).toBe("C");
  });
});
