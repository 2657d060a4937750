/** User and password for this tab: they are gone with it, and in no address. */
const KEY = "aisle-authorization";

export class Credentials {
  /** Value of the Authorization header; null: nobody is signed in. */
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
