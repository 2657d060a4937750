/** User and password of this tab. They are never part of a URL and are dropped with the tab. */
const KEY = "aisle-authorization";

export class Credentials {
  /** Value of the Authorization header; null: not signed in. */
  get header(): string | null {
    return sessionStorage.getItem(KEY);
  }

  get isSignedIn(): boolean {
    return this.header !== null;
  }

  signIn(user: string, password: string): void {
    const bytes = new TextEncoder().encode(`${user}:${password}`);
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    sessionStorage.setItem(KEY, `Basic ${btoa(binary)}`);
  }

  signOut(): void {
    sessionStorage.removeItem(KEY);
  }
}
