0func.func @f(%i: index) {
  scf.index_switch %i
case 0 {
  scf.yield
}
case 1 {
  scf.yield
}
case 2 {
  scf.yield
}
case 3 {
  scf.yield
}
case 4 {
  scf.yield
}
case 5 {
  scf.yield
}
case 6 {
  scf.yield
}
case 7 {
  scf.yield
}
case 8 {
  scf.yield
}
case 9 {
  scf.yield
}
case 10 {
  scf.yield
}
case 11 {
  scf.yield
}
case 12 {
  scf.yield
}
case 13 {
  scf.yield
}
case 14 {
  scf.yield
}
case 15 {
  scf.yield
}
case 16 {
  scf.yield
}
case 17 {
  scf.yield
}
case 18 {
  scf.yield
}
case 19 {
  scf.yield
}
case 20 {
  scf.yield
}
case 21 {
  scf.yield
}
case 22 {
  scf.yield
}
case 23 {
  scf.yield
}
case 24 {
  scf.yield
}
case 25 {
  scf.yield
}
case 26 {
  scf.yield
}
case 27 {
  scf.yield
}
case 28 {
  scf.yield
}
case 29 {
  scf.yield
}
case 30 {
  scf.yield
}
case 31 {
  scf.yield
}
case 32 {
  scf.yield
}
case 33 {
  scf.yield
}
case 34 {
  scf.yield
}
case 35 {
  scf.yield
}
case 36 {
  scf.yield
}
case 37 {
  scf.yield
}
case 38 {
  scf.yield
}
case 39 {
  scf.yield
}
case 40 {
  scf.yield
}
case 41 {
  scf.yield
}
case 42 {
  scf.yield
}
case 43 {
  scf.yield
}
case 44 {
  scf.yield
}
case 45 {
  scf.yield
}
case 46 {
  scf.yield
}
case 47 {
  scf.yield
}
case 48 {
  scf.yield
}
case 49 {
  scf.yield
}
case 50 {
  scf.yield
}
case 51 {
  scf.yield
}
case 52 {
  scf.yield
}
case 53 {
  scf.yield
}
case 54 {
  scf.yield
}
case 55 {
  scf.yield
}
case 56 {
  scf.yield
}
case 57 {
  scf.yield
}
case 58 {
  scf.yield
}
case 59 {
  scf.yield
}
case 60 {
  scf.yield
}
case 61 {
  scf.yield
}
case 62 {
  scf.yield
}
case 63 {
  scf.yield
}
case 64 {
  scf.yield
}
case 65 {
  scf.yield
}
case 66 {
  scf.yield
}
case 67 {
  scf.yield
}
case 68 {
  scf.yield
}
case 69 {
  scf.yield
}
case 70 {
  scf.yield
}
case 71 {
  scf.yield
}
case 72 {
  scf.yield
}
case 73 {
  scf.yield
}
case 74 {
  scf.yield
}
case 75 {
  scf.yield
}
case 76 {
  scf.yield
}
case 77 {
  scf.yield
}
case 78 {
  scf.yield
}
case 79 {
  scf.yield
}
case 80 {
  scf.yield
}
case 81 {
  scf.yield
}
case 82 {
  scf.yield
}
case 83 {
  scf.yield
}
case 84 {
  scf.yield
}
case 85 {
  scf.yield
}
case 86 {
  scf.yield
}
case 87 {
  scf.yield
}
case 88 {
  scf.yield
}
case 89 {
  scf.yield
}
case 90 {
  scf.yield
}
case 91 {
  scf.yield
}
case 92 {
  scf.yield
}
case 93 {
  scf.yield
}
case 94 {
  scf.yield
}
case 95 {
  scf.yield
}
case 96 {
  scf.yield
}
case 97 {
  scf.yield
}
case 98 {
  scf.yield
}
case 99 {
  scf.yield
}
case 100 {
  scf.yield
}
case 101 {
  scf.yield
}
case 102 {
  scf.yield
}
case 103 {
  scf.yield
}
case 104 {
  scf.yield
}
case 105 {
  scf.yield
}
case 106 {
  scf.yield
}
case 107 {
  scf.yield
}
case 108 {
  scf.yield
}
case 109 {
  scf.yield
}
case 110 {
  scf.yield
}
case 111 {
  scf.yield
}
case 112 {
  scf.yield
}
case 113 {
  scf.yield
}
case 114 {
  scf.yield
}
case 115 {
  scf.yield
}
case 116 {
  scf.yield
}
case 117 {
  scf.yield
}
case 118 {
  scf.yield
}
case 119 {
  scf.yield
}
case 120 {
  scf.yield
}
case 121 {
  scf.yield
}
case 122 {
  scf.yield
}
case 123 {
  scf.yield
}
case 124 {
  scf.yield
}
case 125 {
  scf.yield
}
case 126 {
  scf.yield
}
case 127 {
  scf.yield
}
case 128 {
  scf.yield
}
case 129 {
  scf.yield
}
case 130 {
  scf.yield
}
case 131 {
  scf.yield
}
case 132 {
  scf.yield
}
case 133 {
  scf.yield
}
case 134 {
  scf.yield
}
case 135 {
  scf.yield
}
case 136 {
  scf.yield
}
case 137 {
  scf.yield
}
case 138 {
  scf.yield
}
case 139 {
  scf.yield
}
case 140 {
  scf.yield
}
case 141 {
  scf.yield
}
case 142 {
  scf.yield
}
case 143 {
  scf.yield
}
case 144 {
  scf.yield
}
case 145 {
  scf.yield
}
case 146 {
  scf.yield
}
case 147 {
  scf.yield
}
case 148 {
  scf.yield
}
case 149 {
  scf.yield
}
case 150 {
  scf.yield
}
case 151 {
  scf.yield
}
case 152 {
  scf.yield
}
case 153 {
  scf.yield
}
case 154 {
  scf.yield
}
case 155 {
  scf.yield
}
case 156 {
  scf.yield
}
case 157 {
  scf.yield
}
case 158 {
  scf.yield
}
case 159 {
  scf.yield
}
case 160 {
  scf.yield
}
case 161 {
  scf.yield
}
case 162 {
  scf.yield
}
case 163 {
  scf.yield
}
case 164 {
  scf.yield
}
case 165 {
  scf.yield
}
case 166 {
  scf.yield
}
case 167 {
  scf.yield
}
case 168 {
  scf.yield
}
case 169 {
  scf.yield
}
case 170 {
  scf.yield
}
case 171 {
  scf.yield
}
case 172 {
  scf.yield
}
case 173 {
  scf.yield
}
case 174 {
  scf.yield
}
case 175 {
  scf.yield
}
case 176 {
  scf.yield
}
case 177 {
  scf.yield
}
case 178 {
  scf.yield
}
case 179 {
  scf.yield
}
case 180 {
  scf.yield
}
case 181 {
  scf.yield
}
case 182 {
  scf.yield
}
case 183 {
  scf.yield
}
case 184 {
  scf.yield
}
case 185 {
  scf.yield
}
case 186 {
  scf.yield
}
case 187 {
  scf.yield
}
case 188 {
  scf.yield
}
case 189 {
  scf.yield
}
case 190 {
  scf.yield
}
case 191 {
  scf.yield
}
case 192 {
  scf.yield
}
case 193 {
  scf.yield
}
case 194 {
  scf.yield
}
case 195 {
  scf.yield
}
case 196 {
  scf.yield
}
case 197 {
  scf.yield
}
case 198 {
  scf.yield
}
case 199 {
  scf.yield
}
case 200 {
  scf.yield
}
case 201 {
  scf.yield
}
case 202 {
  scf.yield
}
case 203 {
  scf.yield
}
case 204 {
  scf.yield
}
case 205 {
  scf.yield
}
case 206 {
  scf.yield
}
case 207 {
  scf.yield
}
case 208 {
  scf.yield
}
case 209 {
  scf.yield
}
case 210 {
  scf.yield
}
case 211 {
  scf.yield
}
case 212 {
  scf.yield
}
case 213 {
  scf.yield
}
case 214 {
  scf.yield
}
case 215 {
  scf.yield
}
case 216 {
  scf.yield
}
case 217 {
  scf.yield
}
case 218 {
  scf.yield
}
case 219 {
  scf.yield
}
case 220 {
  scf.yield
}
case 221 {
  scf.yield
}
case 222 {
  scf.yield
}
case 223 {
  scf.yield
}
case 224 {
  scf.yield
}
case 225 {
  scf.yield
}
case 226 {
  scf.yield
}
case 227 {
  scf.yield
}
case 228 {
  scf.yield
}
case 229 {
  scf.yield
}
case 230 {
  scf.yield
}
case 231 {
  scf.yield
}
case 232 {
  scf.yield
}
case 233 {
  scf.yield
}
case 234 {
  scf.yield
}
case 235 {
  scf.yield
}
case 236 {
  scf.yield
}
case 237 {
  scf.yield
}
case 238 {
  scf.yield
}
case 239 {
  scf.yield
}
case 240 {
  scf.yield
}
case 241 {
  scf.yield
}
case 242 {
  scf.yield
}
case 243 {
  scf.yield
}
case 244 {
  scf.yield
}
case 245 {
  scf.yield
}
case 246 {
  scf.yield
}
case 247 {
  scf.yield
}
case 248 {
  scf.yield
}
case 249 {
  scf.yield
}
case 250 {
  scf.yield
}
case 251 {
  scf.yield
}
case 252 {
  scf.yield
}
case 253 {
  scf.yield
}
case 254 {
  scf.yield
}
case 255 {
  scf.yield
}
case 256 {
  scf.yield
}
case 257 {
  scf.yield
}
case 258 {
  scf.yield
}
case 259 {
  scf.yield
}
case 260 {
  scf.yield
}
case 261 {
  scf.yield
}
case 262 {
  scf.yield
}
case 263 {
  scf.yield
}
case 264 {
  scf.yield
}
case 265 {
  scf.yield
}
case 266 {
  scf.yield
}
case 267 {
  scf.yield
}
case 268 {
  scf.yield
}
case 269 {
  scf.yield
}
case 270 {
  scf.yield
}
case 271 {
  scf.yield
}
case 272 {
  scf.yield
}
case 273 {
  scf.yield
}
case 274 {
  scf.yield
}
case 275 {
  scf.yield
}
case 276 {
  scf.yield
}
case 277 {
  scf.yield
}
case 278 {
  scf.yield
}
case 279 {
  scf.yield
}
case 280 {
  scf.yield
}
case 281 {
  scf.yield
}
case 282 {
  scf.yield
}
case 283 {
  scf.yield
}
case 284 {
  scf.yield
}
case 285 {
  scf.yield
}
case 286 {
  scf.yield
}
case 287 {
  scf.yield
}
case 288 {
  scf.yield
}
case 289 {
  scf.yield
}
case 290 {
  scf.yield
}
case 291 {
  scf.yield
}
case 292 {
  scf.yield
}
case 293 {
  scf.yield
}
case 294 {
  scf.yield
}
case 295 {
  scf.yield
}
case 296 {
  scf.yield
}
case 297 {
  scf.yield
}
case 298 {
  scf.yield
}
case 299 {
  scf.yield
}
case 300 {
  scf.yield
}
case 301 {
  scf.yield
}
case 302 {
  scf.yield
}
case 303 {
  scf.yield
}
case 304 {
  scf.yield
}
case 305 {
  scf.yield
}
case 306 {
  scf.yield
}
case 307 {
  scf.yield
}
case 308 {
  scf.yield
}
case 309 {
  scf.yield
}
case 310 {
  scf.yield
}
case 311 {
  scf.yield
}
case 312 {
  scf.yield
}
case 313 {
  scf.yield
}
case 314 {
  scf.yield
}
case 315 {
  scf.yield
}
case 316 {
  scf.yield
}
case 317 {
  scf.yield
}
case 318 {
  scf.yield
}
case 319 {
  scf.yield
}
case 320 {
  scf.yield
}
case 321 {
  scf.yield
}
case 322 {
  scf.yield
}
case 323 {
  scf.yield
}
case 324 {
  scf.yield
}
case 325 {
  scf.yield
}
case 326 {
  scf.yield
}
case 327 {
  scf.yield
}
case 328 {
  scf.yield
}
case 329 {
  scf.yield
}
case 330 {
  scf.yield
}
case 331 {
  scf.yield
}
case 332 {
  scf.yield
}
case 333 {
  scf.yield
}
case 334 {
  scf.yield
}
case 335 {
  scf.yield
}
case 336 {
  scf.yield
}
case 337 {
  scf.yield
}
case 338 {
  scf.yield
}
case 339 {
  scf.yield
}
case 340 {
  scf.yield
}
case 341 {
  scf.yield
}
case 342 {
  scf.yield
}
case 343 {
  scf.yield
}
case 344 {
  scf.yield
}
case 345 {
  scf.yield
}
case 346 {
  scf.yield
}
case 347 {
  scf.yield
}
case 348 {
  scf.yield
}
case 349 {
  scf.yield
}
case 350 {
  scf.yield
}
case 351 {
  scf.yield
}
case 352 {
  scf.yield
}
case 353 {
  scf.yield
}
case 354 {
  scf.yield
}
case 355 {
  scf.yield
}
case 356 {
  scf.yield
}
case 357 {
  scf.yield
}
case 358 {
  scf.yield
}
case 359 {
  scf.yield
}
case 360 {
  scf.yield
}
case 361 {
  scf.yield
}
case 362 {
  scf.yield
}
case 363 {
  scf.yield
}
case 364 {
  scf.yield
}
case 365 {
  scf.yield
}
case 366 {
  scf.yield
}
case 367 {
  scf.yield
}
case 368 {
  scf.yield
}
case 369 {
  scf.yield
}
case 370 {
  scf.yield
}
case 371 {
  scf.yield
}
case 372 {
  scf.yield
}
case 373 {
  scf.yield
}
case 374 {
  scf.yield
}
case 375 {
  scf.yield
}
case 376 {
  scf.yield
}
case 377 {
  scf.yield
}
case 378 {
  scf.yield
}
case 379 {
  scf.yield
}
case 380 {
  scf.yield
}
case 381 {
  scf.yield
}
case 382 {
  scf.yield
}
case 383 {
  scf.yield
}
case 384 {
  scf.yield
}
case 385 {
  scf.yield
}
case 386 {
  scf.yield
}
case 387 {
  scf.yield
}
case 388 {
  scf.yield
}
case 389 {
  scf.yield
}
case 390 {
  scf.yield
}
case 391 {
  scf.yield
}
case 392 {
  scf.yield
}
case 393 {
  scf.yield
}
case 394 {
  scf.yield
}
case 395 {
  scf.yield
}
case 396 {
  scf.yield
}
case 397 {
  scf.yield
}
case 398 {
  scf.yield
}
case 399 {
  scf.yield
}
case 400 {
  scf.yield
}
case 401 {
  scf.yield
}
case 402 {
  scf.yield
}
case 403 {
  scf.yield
}
case 404 {
  scf.yield
}
case 405 {
  scf.yield
}
case 406 {
  scf.yield
}
case 407 {
  scf.yield
}
case 408 {
  scf.yield
}
case 409 {
  scf.yield
}
case 410 {
  scf.yield
}
case 411 {
  scf.yield
}
case 412 {
  scf.yield
}
case 413 {
  scf.yield
}
case 414 {
  scf.yield
}
case 415 {
  scf.yield
}
case 416 {
  scf.yield
}
case 417 {
  scf.yield
}
case 418 {
  scf.yield
}
case 419 {
  scf.yield
}
case 420 {
  scf.yield
}
case 421 {
  scf.yield
}
case 422 {
  scf.yield
}
case 423 {
  scf.yield
}
case 424 {
  scf.yield
}
case 425 {
  scf.yield
}
case 426 {
  scf.yield
}
case 427 {
  scf.yield
}
case 428 {
  scf.yield
}
case 429 {
  scf.yield
}
case 430 {
  scf.yield
}
case 431 {
  scf.yield
}
case 432 {
  scf.yield
}
case 433 {
  scf.yield
}
case 434 {
  scf.yield
}
case 435 {
  scf.yield
}
case 436 {
  scf.yield
}
case 437 {
  scf.yield
}
case 438 {
  scf.yield
}
case 439 {
  scf.yield
}
case 440 {
  scf.yield
}
case 441 {
  scf.yield
}
case 442 {
  scf.yield
}
case 443 {
  scf.yield
}
case 444 {
  scf.yield
}
case 445 {
  scf.yield
}
case 446 {
  scf.yield
}
case 447 {
  scf.yield
}
case 448 {
  scf.yield
}
case 449 {
  scf.yield
}
case 450 {
  scf.yield
}
case 451 {
  scf.yield
}
case 452 {
  scf.yield
}
case 453 {
  scf.yield
}
case 454 {
  scf.yield
}
case 455 {
  scf.yield
}
case 456 {
  scf.yield
}
case 457 {
  scf.yield
}
case 458 {
  scf.yield
}
case 459 {
  scf.yield
}
case 460 {
  scf.yield
}
case 461 {
  scf.yield
}
case 462 {
  scf.yield
}
case 463 {
  scf.yield
}
case 464 {
  scf.yield
}
case 465 {
  scf.yield
}
case 466 {
  scf.yield
}
case 467 {
  scf.yield
}
case 468 {
  scf.yield
}
case 469 {
  scf.yield
}
case 470 {
  scf.yield
}
case 471 {
  scf.yield
}
case 472 {
  scf.yield
}
case 473 {
  scf.yield
}
case 474 {
  scf.yield
}
case 475 {
  scf.yield
}
case 476 {
  scf.yield
}
case 477 {
  scf.yield
}
case 478 {
  scf.yield
}
case 479 {
  scf.yield
}
case 480 {
  scf.yield
}
case 481 {
  scf.yield
}
case 482 {
  scf.yield
}
case 483 {
  scf.yield
}
case 484 {
  scf.yield
}
case 485 {
  scf.yield
}
case 486 {
  scf.yield
}
case 487 {
  scf.yield
}
case 488 {
  scf.yield
}
case 489 {
  scf.yield
}
case 490 {
  scf.yield
}
case 491 {
  scf.yield
}
case 492 {
  scf.yield
}
case 493 {
  scf.yield
}
case 494 {
  scf.yield
}
case 495 {
  scf.yield
}
case 496 {
  scf.yield
}
case 497 {
  scf.yield
}
case 498 {
  scf.yield
}
case 499 {
  scf.yield
}
case 500 {
  scf.yield
}
case 501 {
  scf.yield
}
case 502 {
  scf.yield
}
case 503 {
  scf.yield
}
case 504 {
  scf.yield
}
case 505 {
  scf.yield
}
case 506 {
  scf.yield
}
case 507 {
  scf.yield
}
case 508 {
  scf.yield
}
case 509 {
  scf.yield
}
case 510 {
  scf.yield
}
case 511 {
  scf.yield
}
case 512 {
  scf.yield
}
case 513 {
  scf.yield
}
case 514 {
  scf.yield
}
case 515 {
  scf.yield
}
case 516 {
  scf.yield
}
case 517 {
  scf.yield
}
case 518 {
  scf.yield
}
case 519 {
  scf.yield
}
case 520 {
  scf.yield
}
case 521 {
  scf.yield
}
case 522 {
  scf.yield
}
case 523 {
  scf.yield
}
case 524 {
  scf.yield
}
case 525 {
  scf.yield
}
case 526 {
  scf.yield
}
case 527 {
  scf.yield
}
case 528 {
  scf.yield
}
case 529 {
  scf.yield
}
case 530 {
  scf.yield
}
case 531 {
  scf.yield
}
case 532 {
  scf.yield
}
case 533 {
  scf.yield
}
case 534 {
  scf.yield
}
case 535 {
  scf.yield
}
case 536 {
  scf.yield
}
case 537 {
  scf.yield
}
case 538 {
  scf.yield
}
case 539 {
  scf.yield
}
case 540 {
  scf.yield
}
case 541 {
  scf.yield
}
case 542 {
  scf.yield
}
case 543 {
  scf.yield
}
case 544 {
  scf.yield
}
case 545 {
  scf.yield
}
case 546 {
  scf.yield
}
case 547 {
  scf.yield
}
case 548 {
  scf.yield
}
case 549 {
  scf.yield
}
case 550 {
  scf.yield
}
case 551 {
  scf.yield
}
case 552 {
  scf.yield
}
case 553 {
  scf.yield
}
case 554 {
  scf.yield
}
case 555 {
  scf.yield
}
case 556 {
  scf.yield
}
case 557 {
  scf.yield
}
case 558 {
  scf.yield
}
case 559 {
  scf.yield
}
case 560 {
  scf.yield
}
case 561 {
  scf.yield
}
case 562 {
  scf.yield
}
case 563 {
  scf.yield
}
case 564 {
  scf.yield
}
case 565 {
  scf.yield
}
case 566 {
  scf.yield
}
case 567 {
  scf.yield
}
case 568 {
  scf.yield
}
case 569 {
  scf.yield
}
case 570 {
  scf.yield
}
case 571 {
  scf.yield
}
case 572 {
  scf.yield
}
case 573 {
  scf.yield
}
case 574 {
  scf.yield
}
case 575 {
  scf.yield
}
case 576 {
  scf.yield
}
case 577 {
  scf.yield
}
case 578 {
  scf.yield
}
case 579 {
  scf.yield
}
case 580 {
  scf.yield
}
case 581 {
  scf.yield
}
case 582 {
  scf.yield
}
case 583 {
  scf.yield
}
case 584 {
  scf.yield
}
case 585 {
  scf.yield
}
case 586 {
  scf.yield
}
case 587 {
  scf.yield
}
case 588 {
  scf.yield
}
case 589 {
  scf.yield
}
case 590 {
  scf.yield
}
case 591 {
  scf.yield
}
case 592 {
  scf.yield
}
case 593 {
  scf.yield
}
case 594 {
  scf.yield
}
case 595 {
  scf.yield
}
case 596 {
  scf.yield
}
case 597 {
  scf.yield
}
case 598 {
  scf.yield
}
case 599 {
  scf.yield
}
default {
}
  return
}
