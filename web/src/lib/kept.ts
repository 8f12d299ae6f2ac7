// Choices that stay on this device. A private window may refuse storage; then a choice lasts as long as the page.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`punto.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`punto.${name}`, value);
  } catch {
    // Refused storage costs only the memory of the choice.
  }
}
