;;; mlirbc.el --- MLIR with the language server of mlirbc  -*- lexical-binding: t; -*-

;; Emacs 29 or later.  Load this file, and start the server with `M-x eglot' in a buffer with MLIR.

(defvar mlirbc-font-lock-keywords
  '(("//.*$" . font-lock-comment-face)
    ("@[A-Za-z_][A-Za-z0-9_$.]*" . font-lock-function-name-face)
    ("%[A-Za-z0-9_$.-]+\\(#[0-9]+\\)?" . font-lock-variable-name-face)
    ("\\^[A-Za-z0-9_$.-]+" . font-lock-constant-face)
    ("[#!][A-Za-z_][A-Za-z0-9_$.]*" . font-lock-type-face)
    ("\\_<[a-z_][a-z0-9_]*\\.[a-z][A-Za-z0-9_.]*" . font-lock-keyword-face)
    ("\\_<\\([su]?i[0-9]+\\|b?f[0-9]+\\|index\\|none\\|tensor\\|memref\\|vector\\)\\_>" . font-lock-type-face)))

;;;###autoload
(define-derived-mode mlir-mode prog-mode "MLIR"
  "Major mode for the text of MLIR."
  (setq-local comment-start "// " comment-end "")
  (setq-local font-lock-defaults '(mlirbc-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mlir\\'" . mlir-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(mlir-mode "mlirbc" "lsp")))

(provide 'mlirbc)
;;; mlirbc.el ends here
