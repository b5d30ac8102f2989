/** Types of `unread-files.mjs`, which plain JavaScript reads too, for `packaging/`. */
export declare const PLATFORM_FOLDERS: readonly string[]
export declare const UNREAD: Readonly<Record<string, RegExp>>
export declare const UNREAD_BY_GATEWAY: Readonly<Record<string, RegExp>>
