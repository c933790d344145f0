// The page's elements by their ids, and small pieces of HTML.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no element ${id}`);
    return element as T;
}

/** An element with text or other elements in it; text is never read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, classes: string, ...content: (Node | string)[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    if (classes) made.className = classes;
    made.append(...content);
    return made;
}

export function showNotice(text: string, isSmall = false): void {
    const notice = byId("notice");
    notice.textContent = text;
    notice.hidden = false;
    notice.className = isSmall ? "is-small" : "";
}

/** Says in the element "copied" that it is done. */
export async function copyText(text: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const field = element("textarea", "", text); // pages from files may have no clipboard
        document.body.append(field);
        field.select();
        document.execCommand("copy");
        field.remove();
    }
    byId("copied").textContent = "copied";
}
